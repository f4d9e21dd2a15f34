import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formPairs } from './form-pairs.ts'

describe('formPairs', () => {
  const cases: readonly [text: string, pairs: [string, string][]][] = [
    ['', []],
    ['?', []],
    ['??a', [['?a', '']]],
    [
      'a&b=&=c&=&&',
      [
        ['a', ''],
        ['b', ''],
        ['', 'c'],
        ['', ''],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['a+b=+%20%2B', [['a b', '  +']]],
    [
      '%26=%3d&%=%4&%zz=%4g',
      [
        ['&', '='],
        ['%', '%4'],
        ['%zz', '%4g'],
      ],
    ],
    ['é=%C3%A9', [['é', 'é']]],
    ['é%E9=%C3', [['é\ufffd', '\ufffd']]],
    ['%EF%BB%BFa=\ufeff', [['\ufeffa', '\ufeff']]],
    ['%ED%A0%80=\ud800+', [['\ufffd\ufffd\ufffd', '\ufffd ']]],
    [
      '%F0%9F%98%80=😀&\0=%00',
      [
        ['😀', '😀'],
        ['\0', '\0'],
      ],
    ],
    ['a=1\n2', [['a', '1\n2']]],
  ]
  for (const [text, pairs] of cases) it(`parses ${JSON.stringify(text)}`, () => expect(formPairs(text)).toEqual(pairs))

  it('returns what the platform returns', () => {
    const piece = fc.constantFrom('&', '=', '+', '%', '?', '%41', '%C3%A9', '%e9', '%4', 'a', 'B', '0', ' ', '\n', '#')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const text = pieces.join('')
        expect(formPairs(text)).toEqual([...new URLSearchParams(text)])
      }),
      { numRuns: 1_000 },
    )
  })

  it('searches each character twice at most', () => {
    const { indexOf } = String.prototype
    let searched = 0
    String.prototype.indexOf = function (this: string, text, from = 0) {
      const found = indexOf.call(this, text, from)
      searched += (found === -1 ? this.length : found) - from
      return found
    }
    try {
      for (const text of ['a&'.repeat(50_000), `${'a&'.repeat(50_000)}b=c`, '&'.repeat(100_000), 'a'.repeat(100_000)]) {
        searched = 0
        formPairs(text)
        expect(searched).toBeLessThanOrEqual(2 * text.length)
      }
    } finally {
      String.prototype.indexOf = indexOf
    }
  })

  it('reads back what the platform writes', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })))
    fc.assert(
      fc.property(pairs, (list) => {
        const params = new URLSearchParams(list)
        expect(formPairs(params.toString())).toEqual([...params])
      }),
    )
  })
})
