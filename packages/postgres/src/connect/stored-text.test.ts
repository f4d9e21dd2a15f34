import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromStoredText, toStoredText } from './stored-text.ts'

const anyText = fc.string({ unit: fc.constantFrom('\u0000', '\u0001', '\u0002', 'a', 'ü', '😀') })
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe('a text that is stored', () => {
  it('is read as it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fromStoredText(toStoredText(text))).toBe(text)
      }),
    )
  })

  it('contains no NUL', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toStoredText(text)).not.toContain('\u0000')
      }),
    )
  })

  it('keeps its place in the order of code points', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(Math.sign(compare(toStoredText(a), toStoredText(b)))).toBe(Math.sign(compare(a, b)))
      }),
    )
  })
})
