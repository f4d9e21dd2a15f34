import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTextMax, hasPlanFormat, planFormats } from './plan-format.ts'

const cases: Readonly<Record<string, readonly [right: readonly string[], wrong: readonly string[]]>> = {
  'date-time': [
    ['2026-01-05T08:00:03.564Z', '2026-02-28t10:00:00+02:00'],
    ['yesterday', '2026-02-30T10:00:00Z', '2026-01-05T08:00:00'],
  ],
  date: [['2024-02-29'], ['2026-02-29', '05.01.2026', '2026-1-5']],
  time: [
    ['08:00:03Z', '23:59:60Z'],
    ['25:00:00Z', '08:00'],
  ],
  duration: [
    ['P1Y2M3DT4H5M6S', 'P2W'],
    ['P', '1 day', 'PT'],
  ],
  email: [
    ['ann@x.test', 'a.b+c@x-y.test'],
    ['nope', 'a@b', '@x.test', 'a@x.test '],
  ],
  hostname: [
    ['x.test', 'a'],
    ['-x.test', 'x_y.test', ''],
  ],
  ipv4: [['10.0.0.1'], ['10.0.0.256', '10.0.0', '10.0.0.01']],
  ipv6: [
    ['::1', '2001:db8::8:800:200c:417a'],
    ['1::2::3', '12345::', '10.0.0.1'],
  ],
  uri: [
    ['https://x.test/a?b=c#d', 'mailto:ann@x.test', 'urn:a:b'],
    ['//x.test', 'x.test', 'http://x.test/a b', ''],
  ],
  'uri-reference': [
    ['/a', '../a?b', '#c', ''],
    ['a b', '\\a', '%zz'],
  ],
  'uri-template': [['/a/{b}'], ['/a/{b']],
  uuid: [['b6c3148f-a706-49a3-bdbf-53dca898c12f'], ['b6c3148f', 'b6c3148fa70649a3bdbf53dca898c12f']],
  regex: [['^a[0-9]$'], ['(', '[']],
  'json-pointer': [
    ['', '/a/0/~1'],
    ['a', '/~2'],
  ],
  'relative-json-pointer': [
    ['0', '1/a', '2#'],
    ['/a', '01'],
  ],
  url: [
    ['https://x.test', 'http://u:p@x.test:8080/a@b'],
    ['http://x', 'x.test', 'http://10.0.0.1', 'http://@x.test'],
  ],
  byte: [['YQ=='], ['a']],
}

describe('formats of plans', () => {
  it.each(Object.entries(cases))('are checked: %s', (name, [right, wrong]) => {
    for (const text of right) expect([text, hasPlanFormat(name, text)]).toEqual([text, true])
    for (const text of wrong) expect([text, hasPlanFormat(name, text)]).toEqual([text, false])
    // Every number has a format of texts.
    expect(hasPlanFormat(name, 5)).toBe(true)
  })

  it('are checked for numbers, too', () => {
    expect([5, 5.5, 2 ** 31].map((value) => hasPlanFormat('int32', value))).toEqual([true, false, false])
    expect([2 ** 31, 0.5].map((value) => hasPlanFormat('int64', value))).toEqual([true, false])
    expect(hasPlanFormat('int32', 'text')).toBe(true)
  })

  it('only describe when they are not known, also when every object has such a member', () => {
    for (const name of ['made-up', 'color', 'idn-email', 'toString', '__proto__'])
      expect(hasPlanFormat(name, 'anything at all')).toBe(true)
  })

  it('finds the same URLs as ajv-formats', () => {
    const parts = [
      'http://',
      'ftp://',
      'HTTPS://',
      'x.test',
      'x',
      '-',
      'a-b.',
      '10.0.0.1',
      '8.8.8.8',
      '@',
      ':',
      '80',
      '/',
      ' ',
      'ü',
      '?q',
    ]
    const text = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 }).map((all) => all.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          text.map((rest) => `https://${rest}`),
        ),
        (given) => {
          expect([given, hasPlanFormat('url', given)]).toEqual([given, (fullFormats.url as RegExp).test(given)])
        },
      ),
      { numRuns: 3_000 },
    )
  })

  it('take little time for hostile texts', () => {
    const starts = ['', 'P', 'http://', 'http://[', 'a@', '{', '/', '2026-01-01T10:00:00.']
    const pieces = ['a', 'a.', '1', '1Y', 'a-', 'a/', '/a', ':', '::', '@', 'a@', '%41', '#', '?', '{a}', '(', '\\']
    const length = formatTextMax - 40
    const texts = starts.flatMap((start) =>
      pieces.map((piece) => `${start}${piece.repeat(Math.floor(length / piece.length))}!`),
    )
    for (const name of planFormats)
      expect(() => {
        for (const text of texts) hasPlanFormat(name, text)
      }).toCostAtMost(1_500)
    expect(hasPlanFormat('uri', `http://x.test/${'a'.repeat(formatTextMax)}`)).toBe(false)
  })
})
