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
    [456, '456'],
    [true, 'true'],
    [{ id: 456 }, '{"id":456}'],
    [null, ''],
    [undefined, ''],
  ]
  for (const [value, text] of cases) {
    it(`of ${JSON.stringify(value)} is ${JSON.stringify(text)}`, () => expect(identifierText(value)).toBe(text))
  }
})
