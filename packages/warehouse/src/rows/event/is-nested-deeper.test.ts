import type { JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { isNestedDeeper } from './is-nested-deeper.ts'

const nested = (levels: number, open: string, close: string): JsonValue =>
  JSON.parse(`${open.repeat(levels)}1${close.repeat(levels)}`)

describe('nested deeper', () => {
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
    ['[{"a":', '}]'],
  ] as const) {
    const perOpen = open.startsWith('[{') ? 2 : 1
    it(`counts the levels of ${open}1${close}`, () => {
      expect(isNestedDeeper(nested(10, open, close), 10 * perOpen)).toBe(false)
      expect(isNestedDeeper(nested(10, open, close), 10 * perOpen - 1)).toBe(true)
    })
  }

  it('is decided without looking further', () => {
    expect(isNestedDeeper(nested(1_000_000, '[', ']'), 1_000)).toBe(true)
    expect(isNestedDeeper(1, 0)).toBe(false)
  })
})
