import { describe, expect, it } from 'vitest'
import { transformationVersionId } from './transformation-version-id.ts'

const a = { name: 'a', code: '1' }
const b = { name: 'b', code: '2' }

describe('transformationVersionId', () => {
  it('is the same for the same code and libraries, in whatever order', () => {
    expect(transformationVersionId('code', [a, b])).toBe(transformationVersionId('code', [b, a]))
    expect(transformationVersionId('code', [])).toMatch(/^[0-9a-f]{32}$/)
  })
  it('changes with the code, and with the name and code of a library', () => {
    const ids = [
      transformationVersionId('code', []),
      transformationVersionId('other', []),
      transformationVersionId('code', [a]),
      transformationVersionId('code', [{ ...a, name: 'c' }]),
      transformationVersionId('code', [{ ...a, code: '3' }]),
      transformationVersionId('code', [a, b]),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})
