import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskText } from './mask-text.ts'
import { createPiiFinder, piiKinds } from './pii-finder.ts'
import { readPlainly } from './plain-reading.ts'

const find = createPiiFinder(new Set(piiKinds))

describe('a text reads plainly', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['ann%40x', 'ann@x'],
    ['ann%2540x', 'ann@x'],
    ['ann%25252540x', 'ann@x'],
    ['100%25', '100%'],
    ['100% of 5 %zz %2', undefined],
    ['%EF%BC%A0 %C3%A9 %F0%9F%98%80', '@ é 😀'],
    ['%C3 %C3%zz %FF', undefined],
    ['&#64;&#x40;&commat;&period;&shy;!', '@@@.!'],
    ['AT&T &#; &#x110000; &toString; &am', undefined],
    ['a &amp; b &AMP b', 'a & b & b'],
    ['&#64 &#x40x &commat &#0000000064; &#x00000000040;', '@ @x @ @ @'],
    ['&amp;#64; &amp;amp;#64; &#38;commat; &amp;#x26;#x40;', '@ @ @ @'],
    ['%u0040 %26%2364%3B %26commat;', '@ @ @'],
    ['=40 =EF=BC=A0 =3D40 a=\r\nb=\nc', '@ @ @ abc'],
    ['a=b&c=1&d=ab x= =4 =4g', undefined],
    ['\\\\u0040 \\\\\\\\u0040 \\\\x40', '@ @ @'],
    ['\\u0040\\x40\\u{40}', '@@@'],
    ['C:\\users\\x \\u00', undefined],
    ['＠﹫．。\u00ad\u200b\u2060\ufeff', '@@..'],
    ['５٥५𝟝 −‑–\u00a0\u3000', '5555 ---  '],
    ['ａｎｎ 𝐚𝐧𝐧', 'ann ann'],
    ['Müller, 北京 😀', undefined],
  ]
  it.each(cases)('%s', (text, expected) => {
    expect(readPlainly(text)?.text).toBe(expected)
  })

  it('and knows where each character is written', () => {
    const reading = readPlainly('a\u00ad%40😀é%41')
    expect(reading?.text).toBe('a@😀éA')
    expect([0, 1, 2, 4, 5].map((at) => [reading?.startOf(at), reading?.endOf(at), reading?.isEncoded(at)])).toEqual([
      [0, 1, false],
      [2, 5, true],
      [5, 6, false],
      [7, 8, false],
      [8, 11, true],
    ])
  })
})

const word = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/)
const digits = (count: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^\\d{${count}}$`))
const area = fc.stringMatching(/^[2-9]\d\d$/)
const separator = fc.constantFrom(' ', '-', '.')

function withCheckDigit(start: string): string {
  for (let last = 0; last < 10; last += 1) {
    const all = [...`${start}${last}`].reverse().map(Number)
    const sum = all.reduce(
      (total, value, index) => total + (index % 2 === 0 ? value : value > 4 ? value * 2 - 9 : value * 2),
      0,
    )
    if (sum % 10 === 0) return `${start}${last}`
  }
  return start
}

/** Personal data in its usual form, by what replaces it. */
const personal: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc
    .tuple(word, word, fc.constantFrom('test', 'co.uk', 'org'))
    .map(([a, b, c]) => ['[email]', `${a}@${b}.${c}`] as const),
  fc.tuple(word, word, word).map(([a, b, c]) => ['[email]', `${a}.${b}+1@${c}-x.example`] as const),
  fc.tuple(area, digits(3), digits(4)).map(([a, b, c]) => ['[phone]', `(${a}) ${b}-${c}`] as const),
  fc
    .tuple(area, digits(3), digits(4), fc.constantFrom('-', '.'))
    .map(([a, b, c, by]) => ['[phone]', [a, b, c].join(by)] as const),
  fc.tuple(area, digits(7), separator).map(([a, b, by]) => ['[phone]', `+49${by}${a}${by}${b}`] as const),
  fc.tuple(digits(11), separator).map(([rest, by]) => {
    const all = withCheckDigit(`4111${rest}`)
    return ['[card]', [0, 4, 8, 12].map((at) => all.slice(at, at + 4)).join(by)] as const
  }),
  digits(11).map((rest) => ['[card]', withCheckDigit(`5500${rest}`)] as const),
  fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 })
    .map((all) => ['[ip]', all.join('.')] as const),
  fc.stringMatching(/^[1-9a-f][0-9a-f]{3}$/).map((group) => ['[ip]', `2001:db8::${group}`] as const),
)

const ways: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${hex(character, 2)}`,
  (character) => `%25${hex(character, 2)}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&amp;#${character.charCodeAt(0)};`,
  (character) => `&#0000000${character.charCodeAt(0)};`,
  (character) => `%u${hex(character, 4)}`,
  (character) => `=${hex(character, 2).toUpperCase()}`,
  (character) => `\\\\u${hex(character, 4)}`,
  (character) => `&#x${hex(character, 4)};`,
  (character) => `\\u${hex(character, 4)}`,
  // Full width.
  (character) => (character > ' ' ? String.fromCharCode(character.charCodeAt(0) + 0xfee0) : '\u3000'),
  (character) => ({ '@': '﹫', '-': '‑', '.': '。', ' ': '\u00a0' })[character] ?? character,
  (character) => (/\d/.test(character) ? String.fromCharCode(0x660 + Number(character)) : character),
  (character) => encodeURIComponent(String.fromCharCode(character.charCodeAt(0) + (character > ' ' ? 0xfee0 : 0))),
]
const hex = (character: string, length: number): string => character.charCodeAt(0).toString(16).padStart(length, '0')
const unseen = fc.constantFrom('', '', '', '\u00ad', '\u200b', '\u200d', '\u2060', '\ufeff', '%C2%AD', '&shy;')

describe('personal data', () => {
  it('is masked however its characters are written', () => {
    const written = personal.chain(([mask, text]) =>
      fc
        .array(fc.tuple(fc.nat(ways.length - 1), unseen), { minLength: text.length, maxLength: text.length })
        .map((choices) => {
          const all = [...text].map((character, index) => {
            const [way, after] = choices[index] ?? [0, '']
            return (ways[way]?.(character) ?? character) + (index < text.length - 1 ? after : '')
          })
          return { mask, text: all.join('') }
        }),
    )
    fc.assert(
      fc.property(written, ({ mask, text }) => {
        expect(maskText(text, find)).toBe(mask)
        expect(maskText(`of ${text}, yes`, find)).toBe(`of ${mask}, yes`)
      }),
      { numRuns: 3_000 },
    )
  })

  const cases: readonly (readonly [string, string])[] = [
    ['/u?m=ann%2540x.test&n=1', '/u?m=[email]&n=1'],
    ['/login?next=%2Fu%3Fm%3Dann%40x.test%26n%3D1', '/login?next=%2Fu%3Fm%3D[email]%26n%3D1'],
    ['{"mail":"ann\\u0040x.test"}', '{"mail":"[email]"}'],
    ['call (555) 123-4567 now', 'call [phone] now'],
    ['%28555%29%20123-4567', '[phone]'],
    ['"ann smith"@x.test', '[email]'],
    ['ann@[10.0.0.1], ann@[IPv6:::1]', '[email], [email]'],
    ['ann%20b@x.test', '[email]'],
    ['card 4111 - 1111 - 1111 - 1111', 'card [card]'],
    ['card 4111_1111_1111_1111, 4111/1111/1111/1111', 'card [card], [card]'],
    [
      JSON.stringify({ log: JSON.stringify({ mail: 'ann@x.test' }).replace('@', '\\u0040') }),
      '{"log":"{\\"mail\\":\\"[email]\\"}"}',
    ],
    ['ann&amp;#64;example.com and ann&#64example.com, ann&#0000000064;example.com', '[email] and [email], [email]'],
    ['ann&commatexample.com; ann%u0040example.com; ann=40example.com', '[email]; [email]; [email]'],
  ]
  it.each(cases)('is masked in %s', (text, masked) => {
    expect(maskText(text, find)).toBe(masked)
  })
})

it('leaves ordinary texts as they are', () => {
  for (const text of [
    '2026-01-05T08%3A00%3A03.564Z',
    '２０２６年１月５日 １０：３０',
    '05.01.2026, 5/1/2026, 2026‑01‑05',
    'v1.2.3 → v1.2.4-beta.1',
    '1 234 567,89 €',
    '1.234.567,89 € (−5 %)',
    '$1,299.00 & 20% off &amp; more',
    '100%25 cotton',
    'ORD-123-456-7890',
    'order 2026-555-0001',
    'ISBN 978‑3‑16‑148410‑0',
    'AT&T, C:\\users\\x, \\d{3}-\\d{4}',
    '/a%20b/c%2Fd?e=%F0%9F%98%80#f',
    'utm_source=x%26y&utm_campaign=spring%20sale',
    'Müller Straße 12, 80331 München',
    '北京市朝阳区 100020',
    '👩\u200d👩\u200d👧 soft\u00adhyphen zero\u200bwidth',
    'the @ sign, ＠handle, @user',
    '390 100 3000',
    '10:30–11:45, pp. 12–15',
    '59337, 1767600003564',
  ])
    expect([text, maskText(text, find)]).toEqual([text, undefined])
})

it('takes linear time on hostile texts', () => {
  const pieces = [
    '%',
    '%2',
    '%25',
    '%40',
    '%2540',
    '%EF%BC%A0',
    '%EF',
    '&',
    '&#',
    '&#64;',
    '&#0',
    '&#000000000000000064;',
    '&amp;',
    '&amp;amp;amp;#',
    '%u',
    '%25u0040',
    '=',
    '=3D',
    '=40',
    '\\',
    '\\\\',
    '\\\\u0040',
    '\\u',
    '\\u{',
    '\u00ad',
    '＠',
    'a＠',
    '１',
    '１ ',
    '(１',
    '"',
    '"@',
    '@[',
    'a"@',
    '@[1',
    '%28',
    '１１１-',
  ]
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length))
    expect(() => find(text)).toCostAtMost(2_500)
  }
})
