import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemaPattern } from './schema-pattern.ts'

describe('schemaPattern', () => {
  for (const source of ['[^ ]$', '[\\s\\S]{2}$', 'x[^a](?:$)', '([\\p{So}])$', 'a|[^ ]$'])
    it(`matches a character of two units at the end: ${source}`, () =>
      expect(schemaPattern(source).test('xx😀')).toBe(true))

  for (const source of ['(', ')', 'a)|(b', '[', '\\', '\\a', '*', '{'])
    it(`throws for ${source}, which is no expression`, () => expect(() => schemaPattern(source)).toThrow(SyntaxError))

  it('matches the same as the expression alone', () => {
    const piece = fc.constantFrom('a', 'b', '.', '^', '$', '|', '?', '*', '(a)', '(?:b)', '\\1', '[^a]', '\\S', '😀')
    const text = fc.array(fc.constantFrom('a', 'b', ' '), { maxLength: 6 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), text, (pieces, value) => {
        const source = pieces.join('')
        fc.pre(isExpression(source))
        expect(schemaPattern(source).exec(value)?.slice()).toEqual(new RegExp(source, 'u').exec(value)?.slice())
      }),
      { numRuns: 1_000 },
    )
  })
})

function isExpression(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}
