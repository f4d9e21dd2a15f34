import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lacksIn } from '../vm/patterns/lacks-match.ts'
import { patternFacts } from './pattern-facts.ts'

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

const facts = (pattern: RegExp) => {
  const known = patternFacts(pattern.source, pattern.flags)
  if (known === undefined) return undefined
  const has = (test: (entry: number) => boolean): string =>
    [...known.table].flatMap((entry, code) => (test(entry) ? [String.fromCharCode(code)] : [])).join('')
  const { minLength, wide } = known
  return { minLength, wide, alphabet: has((entry) => entry > 0), required: has((entry) => entry > 1) }
}

/** Returns whether no part of the text can match. */
function excludes(source: string, flags: string, text: string): boolean {
  const known = patternFacts(source, flags)
  const codes = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
  return known !== undefined && lacksIn(codes, 0, codes.length, known)
}

const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()

describe('facts of a pattern', () => {
  it('are its alphabet, its least length and the characters that every match has', () => {
    expect(facts(/[\w.]+@[\w-]+\.[a-z]{2,}/)).toEqual({
      minLength: 6,
      wide: 0,
      alphabet: `-.${digits}@${upper}_${lower}`,
      required: '.@',
    })
    expect(facts(/(?=.*#)(?<!:)\+?\d{3}(?:-\d){2}/)).toEqual({
      minLength: 7,
      wide: 0,
      alphabet: `+-${digits}`,
      required: '-',
    })
    expect(facts(/\S+@\S+|[^:]+:@/)).toMatchObject({ minLength: 3, wide: 1, required: '@' })
    expect(facts(/(?<a>@+)\k<a>|@/)).toEqual({ minLength: 1, wide: 0, alphabet: '@', required: '@' })
  })
  it('never require letters, which match others when case is ignored', () => {
    expect(facts(/\w+k\u017f@\u212a/iu)).toMatchObject({ minLength: 5, wide: 1, required: '@' })
    expect(facts(/\d+-/i)).toEqual({ minLength: 2, wide: 0, alphabet: `-${digits}`, required: '-' })
  })
  it('are known for sets with a hyphen that all engines read alike', () => {
    for (const source of ['@[\\w.-]', '@[\\w-.]', '@[\\w-.-]', '@[a-z\\d-]', '@[\\w-+a-z]'])
      expect(patternFacts(source, ''), source).toBeDefined()
  })
  it('are right for counts that are no finite number', () => {
    const count = '9'.repeat(400)
    expect(excludes(`@b|@(?:a*){${count}}`, '', '@b !')).toBe(false)
    expect(excludes(`@(?:a*){${count}}`, '', '@ !')).toBe(false)
    expect(excludes(`a{${count}}`, '', 'aa')).toBe(true)
  })
  it('require no more than seven characters, the rarest in texts', () => {
    expect(facts(/0:!"#%&=@/)).toMatchObject({ minLength: 9, required: '!"#%&=@' })
  })
  it('are none for what may be empty', () => {
    for (const pattern of [/(?:)/, /a*|@/, /()\1/, /(?!@)/, /[\s\S]*?/, /@{0}/, /(?:@|)/, /[\s\S]/])
      expect(facts(pattern)).toBeUndefined()
    expect(patternFacts('[\\q{|a}]@', 'v')).toMatchObject({ minLength: 1 })
    expect(patternFacts('[[a-z]--[b]]+@', 'v')).toMatchObject({ minLength: 1 })
  })
  it('are none when the pattern has an error, or when engines may read it in different ways', () => {
    for (const source of ['(', 'a{2,1}', '[z-a]', '\\k<a>(?<a>.)(?<a>.)'])
      expect(patternFacts(source, 'u')).toBeUndefined()
    for (const source of [
      '@\\1',
      '@\\07',
      '@\\c',
      '@\\cA',
      '@[\\cA]',
      '@\\k',
      '@\\u{40}',
      '@{,2}',
      '@\\a',
      '@[\\b]',
      '@]',
      '@[\\d--1]',
      '@[\\w-+-9]',
      '@[^\\s-+-9]',
    ])
      expect(patternFacts(source, ''), source).toBeUndefined()
  })
  it('count what a reference takes from a group in a look-around', () => {
    expect(/c(?=(b))\1c/.test('cbc')).toBe(true)
    expect(excludes('c(?=(b))\\1c', '', 'cbc')).toBe(false)
    expect(excludes('(?<=(?<n>#))\\k<n>@', '', '##@')).toBe(false)
    expect(excludes('c(?=(b))c', '', 'cbc')).toBe(true)
  })
  it('law: no text in which V8 finds a match is excluded', () => {
    fc.assert(
      fc.property(patternSources, flagSets, fc.array(texts, { maxLength: 8 }), (source, flags, samples) => {
        const pattern = compiled(source, flags)
        if (!pattern) return
        for (const text of samples) if (pattern.test(text)) expect(excludes(source, flags, text)).toBe(false)
      }),
      { numRuns: 3_000 },
    )
  })
  it('exclude no single character that a set takes', () => {
    const sets = [
      '.',
      '\\s',
      '\\S',
      '\\d',
      '\\D',
      '\\w',
      '\\W',
      '[^\\w]',
      '[^\\W]',
      '[^k]',
      '[k]',
      '[\\s.]',
      '[^\\S]',
      '\\u212a',
      '\\u017f',
      '[^\\u212a]',
      'ß',
      'µ',
      'ÿ',
    ]
    const codes = Array.from({ length: 0x250 }, (_, code) => code).concat(0x1e9e, 0x2028, 0x212a, 0x212b, 0x3bc, 0xfeff)
    for (const set of sets)
      for (const flags of ['', 'i', 's', 'u', 'iu', 'isv'])
        for (const text of codes.map((code) => `${String.fromCharCode(code)}#`))
          if (new RegExp(`${set}#`, flags).test(text))
            expect(excludes(`${set}#`, flags, text), set + flags + text).toBe(false)
  })
  it('are known for most patterns that need a character', () => {
    const counts = { accepted: 0, known: 0 }
    for (const [source, flags] of fc.sample(fc.tuple(patternSources, flagSets), 1_000)) {
      if (compiled(source, flags)?.test('') !== false) continue
      counts.accepted += 1
      if (patternFacts(source, flags)) counts.known += 1
    }
    expect(counts.accepted).toBeGreaterThan(300)
    expect(counts.known).toBeGreaterThan(counts.accepted * 0.7)
  })
})

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    return undefined
  }
}
