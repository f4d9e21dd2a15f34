import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLinearRegex, regexTextMax } from './linear-regex.ts'

function compiled(source: string) {
  const result = compileLinearRegex(source)
  if (!result.ok) throw new Error(result.problem)
  return result.regex
}

describe('an operator-supplied regular expression', () => {
  it('matches exactly what JavaScript matches', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\.', '\\u0041', '\\b', '1', ' ')
    const quantified = fc
      .tuple(atom, fc.constantFrom('', '*', '+?', '?', '{1,3}'))
      .map(([a, q]) => (a === '\\b' ? a : a + q))
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        quantified,
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => a + b),
        fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(?:${a}|${b})*`),
        tie('tree').map((a) => `^(${a})$`),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.stringMatching(/^[abA1. ]{0,8}$/), (source, text) => {
        expect(compiled(source).test(text)).toBe(new RegExp(source).test(text))
      }),
      { numRuns: 300 },
    )
  })

  for (const source of [
    '(?=a)b',
    '(?!a)b',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{1001}',
    '\\pL',
    '[[:alpha:]]',
  ])
    it(`is refused with the unsupported construct named: ${source}`, () => {
      expect(compileLinearRegex(source)).toEqual({ ok: false, problem: expect.stringContaining(`'${source}' uses`) })
    })

  it('is refused when it is invalid, too long or too large', () => {
    for (const source of ['(', '[', 'a**', 'x'.repeat(1_001), '(?:a{40}){30}', '.{999}.{9}'])
      expect(compileLinearRegex(source)).toEqual({ ok: false, problem: expect.stringContaining(source.slice(0, 90)) })
  })

  it('matches quickly against texts that stall a backtracking engine', () => {
    const text = `${'a'.repeat(regexTextMax - 1)}!`
    // Measured 3 ms; a backtracking engine needs years.
    for (const source of ['^(a+)+$', '(a|a)*b', '(.*)(.*)(.*)(.*)=x', '(?:a|b)*a(?:a|b){40}c'])
      expect(() => expect(compiled(source).test(text)).toBe(false)).toCostAtMost(500)
    expect(compiled('a').test('a'.repeat(regexTextMax + 1))).toBe(false)
  })

  it('may use Unicode classes with the flag of JSON Schema', () => {
    const result = compileLinearRegex('^\\p{Lu}+$', 'u')
    expect(result.ok && result.regex.test('ÄÖ')).toBe(true)
  })
})
