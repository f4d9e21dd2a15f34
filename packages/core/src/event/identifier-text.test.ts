import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifierText } from './identifier-text.ts'

describe('identifier text', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    ['user-1', 'user-1'],
    ['two words', 'two words'],
    ['  padded \t\n', 'padded'],
    ['\u0000 -a-random-string \u00a0\t\n\r\u034f', '-a-random-string'],
    [' \u0000\u00a0\t\n\r\u034f ', ''],
    ['zero\u200bwidth', 'zerowidth'],
    ['half \ud800 pair', 'half  pair'],
    ['名前', '名前'],
    ['zoe\u0308', 'zo\u00eb'],
    ['e\u200b\u0308', '\u00eb'],
    ['\ufeffu1', 'u1'],
    [456, '456'],
    [true, 'true'],
    [{ id: 456 }, '{"id":456}'],
    [null, ''],
    [undefined, ''],
  ]
  for (const [value, text] of cases) {
    it(`of ${JSON.stringify(value)} is ${JSON.stringify(text)}`, () => expect(identifierText(value)).toBe(text))
  }

  it('changes nothing when it is applied to its own result', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' ', '\u00a0', '\u0308', 'e', '\u034f', '\u1100', '\u1161'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = identifierText(parts.join(''))
        expect(identifierText(text)).toBe(text)
        expect(identifierText(text.normalize('NFD'))).toBe(text)
      }),
    )
  })
})
