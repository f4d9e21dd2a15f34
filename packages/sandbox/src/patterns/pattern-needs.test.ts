import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { patternNeeds } from './pattern-needs.ts'

const atoms = fc.constantFrom(
  ...[
    'a',
    'k',
    'K',
    's',
    '1',
    '@',
    '-',
    ':',
    ' ',
    '_',
    'é',
    '😀',
    '.',
    '\\.',
    '\\w',
    '\\W',
    '\\d',
    '\\D',
    '\\s',
    '\\S',
  ],
  ...['[a-z]', '[^@]', '[@]', '[@.]', '[\\w.-]', '[^\\s@]', '[^]', '\\x40', '\\u0040', '\\b', '\\B', '^', '$'],
)
const quantifiers = fc.constantFrom('', '', '', '*', '+', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}', '{2,}')

/** Sources of patterns with most constructs. A few are not valid. */
const patternSources: fc.Arbitrary<string> = fc.letrec<{ source: string; part: string; group: string }>((tie) => ({
  source: fc
    .array(fc.array(tie('part'), { minLength: 0, maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
  part: fc.tuple(fc.oneof({ weight: 4, arbitrary: atoms }, tie('group')), quantifiers).map((parts) => parts.join('')),
  group: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('\\1', '(?:)', '()'),
    fc
      .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>'), tie('source'))
      .map(([open, source]) => `${open}${source})`),
  ),
})).source

const flagSets: fc.Arbitrary<string> = fc
  .tuple(fc.subarray(['d', 'g', 'i', 'm', 's']), fc.constantFrom('', '', 'u', 'v'))
  .map(([flags, unicode]) => flags.join('') + unicode)

const texts = fc.string({ unit: fc.constantFrom(...'@.-: aKkſ1_é😀'), maxLength: 12 })

const needs = (pattern: RegExp) => {
  const { minLength, literals, isSlow } = patternNeeds(pattern.source, pattern.flags) ?? {}
  return { minLength, literals: [...(literals ?? [])].sort().join(''), isSlow }
}

describe('needs of a pattern', () => {
  it('are those of the parts that are always there', () => {
    expect(needs(/[\w.]+@[\w-]+\.[a-z]{2,}/)).toEqual({ minLength: 6, literals: '.@', isSlow: true })
    expect(needs(/\S+@\S+|[^:]+:@/)).toEqual({ minLength: 3, literals: '@', isSlow: true })
    expect(needs(/^(.*)[@](?:#{2}|x#)?/)).toEqual({ minLength: 1, literals: '@', isSlow: true })
    expect(needs(/(?=.*#)(?<!:)\+?\d{3}(?:-\d){2}/)).toEqual({ minLength: 7, literals: '-', isSlow: false })
    expect(needs(/(?<a>@+)\k<a>|@/)).toEqual({ minLength: 1, literals: '@', isSlow: true })
  })
  it('never include letters, which match others when case is ignored', () => {
    expect(needs(/\w+k\u017f@\u212a/iu)).toEqual({ minLength: 5, literals: '@', isSlow: true })
  })
  it('are nothing for what may be empty', () => {
    for (const pattern of [/(?:)/, /a*|@/, /()\1/, /(?!@)/, /[\s\S]*?/, /@{0}/, /(?:@|)/])
      expect(needs(pattern)).toMatchObject({ minLength: 0, literals: '' })
    expect(patternNeeds('[\\q{|a}]@', 'v')).toMatchObject({ minLength: 1 })
    expect(patternNeeds('[[a-z]--[b]]+@', 'v')).toMatchObject({ minLength: 1 })
  })
  it('are unknown when the pattern has an error', () => {
    for (const source of ['(', 'a{2,1}', '[z-a]', '\\k<a>(?<a>.)(?<a>.)'])
      expect(patternNeeds(source, 'u')).toBeUndefined()
  })
  it('law: every match of V8 has them', () => {
    fc.assert(
      fc.property(patternSources, flagSets, fc.array(texts, { maxLength: 8 }), (source, flags, samples) => {
        const pattern = compiled(source, flags)
        const known = pattern && patternNeeds(source, flags)
        if (!known) return
        for (const text of samples) {
          const [match] = pattern.exec(text) ?? []
          if (match === undefined) continue
          expect(match.length).toBeGreaterThanOrEqual(known.minLength)
          for (const literal of known.literals) expect(match).toContain(literal)
        }
      }),
      { numRuns: 3_000 },
    )
  })
  it('are known for most patterns that V8 accepts', () => {
    const counts = { accepted: 0, known: 0 }
    for (const [source, flags] of fc.sample(fc.tuple(patternSources, flagSets), 1_000)) {
      if (!compiled(source, flags)) continue
      counts.accepted += 1
      if (patternNeeds(source, flags)) counts.known += 1
    }
    expect(counts.accepted).toBeGreaterThan(300)
    expect(counts.known).toBeGreaterThan(counts.accepted * 0.95)
  })
})

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}
