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

  it('matches quickly when each text makes the engine remember more', () => {
    let state = 1
    const letter = (): string => {
      state = (state * 48_271) % 2_147_483_647
      return state % 2 === 0 ? 'a' : 'b'
    }
    const texts = Array.from({ length: 150 }, () => Array.from({ length: 990 }, letter).join(''))
    const result = compileLinearRegex('^(\\p{L}|a)*b\\p{L}{20}$', 'u')
    if (!result.ok) throw new Error(result.problem)
    const { regex } = result
    const before = regex.stepsFor(texts[0] ?? '')
    expect(() => {
      for (const text of texts) expect(regex.test(text)).toBe(text.at(-21) === 'b')
    }).toCostAtMost(2_500)
    // It has turned out to be slow.
    expect(regex.stepsFor(texts[0] ?? '')).toBeGreaterThan(10 * before)
    expect(regex.test(`${'a'.repeat(50)}b${'a'.repeat(20)}`)).toBe(true)
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
