import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextMask } from './text-mask.ts'

describe('text mask', () => {
  const cases = [
    { texts: [], text: 'nothing', want: 'nothing' },
    { texts: ['abc'], text: 'abc', want: '*' },
    { texts: ['abc'], text: 'xabcabcy abc', want: 'x**y *' },
    { texts: ['abcd', 'bc'], text: 'abce abcd', want: 'a*e *' },
    { texts: ['abc', 'cde'], text: 'abcde', want: '*' },
    { texts: ['aab'], text: 'aaab', want: 'a*' },
    { texts: ['b', 'ab', 'abc'], text: 'zabcz', want: 'z*z' },
    { texts: ['', 'é\u{1f600}'], text: 'aé\u{1f600}b', want: 'a*b' },
  ]
  for (const { texts, text, want } of cases)
    it(`makes ${want} of ${text} for ${JSON.stringify(texts)}`, () => {
      expect(createTextMask(texts, '*')(text)).toBe(want)
    })

  it('hides exactly the characters of the given strings', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 5 })
    const long = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 60 })
    fc.assert(
      fc.property(fc.array(short, { maxLength: 8 }), long, (texts, text) => {
        const hidden = [...text].map(() => false)
        for (const each of texts)
          for (let at = text.indexOf(each); at !== -1; at = text.indexOf(each, at + 1))
            hidden.fill(true, at, at + each.length)
        const kept = [...text].filter((_, index) => !hidden[index]).join('')
        expect(createTextMask(texts, '*')(text).replaceAll('*', '')).toBe(kept)
      }),
    )
  })

  it('takes linear time, even for many similar strings', () => {
    const texts = Array.from({ length: 200 }, (_, index) => `${'a'.repeat(600)}${index}`)
    const mask = createTextMask(texts, '*')
    expect(() => expect(mask('a'.repeat(1_000_000))).toHaveLength(1_000_000)).toCostAtMost(2_000)
  })
})
