import { describe, expect, it } from 'vitest'
import { basicAuth } from './basic-auth.ts'
import { md5, sha256 } from './hash.ts'
import { id } from './id.ts'
import { list } from './list.ts'
import { money, twoDecimals } from './money.ts'
import { integer, number, rounded } from './number.ts'
import { oneOf, renamed } from './one-of.ts'
import { cut, lower, text, trim, upper } from './text.ts'
import { instant, isoDate, milliseconds, seconds } from './time.ts'
import { timeZoneOffset } from './time-zone-offset.ts'

const cases: { name: string; got: unknown; want: unknown }[] = [
  { name: 'text keeps strings', got: text(' a '), want: ' a ' },
  { name: 'text writes objects as JSON', got: text({ toString: 1 }), want: '{"toString":1}' },
  { name: 'trim', got: trim(' a '), want: 'a' },
  { name: 'lower', got: lower('ÄB'), want: 'äb' },
  { name: 'upper', got: upper('ab1'), want: 'AB1' },
  { name: 'cut never splits a character', got: cut(2)('a😀'), want: 'a' },
  { name: 'number parses strings', got: number(' 9.50 '), want: 9.5 },
  {
    name: 'number of other values is undefined',
    got: [number(''), number('a'), number([1]), number('Infinity')],
    want: Array(4).fill(undefined),
  },
  { name: 'integer truncates', got: integer('-2.9'), want: -2 },
  { name: 'rounded', got: [rounded(2)('20.37566'), rounded(2)(5), rounded(2)('x')], want: [20.38, 5, undefined] },
  { name: 'id', got: [id(7), id('a'), id(' '), id(true)], want: ['7', 'a', undefined, undefined] },
  { name: 'sha256', got: sha256('abc'), want: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
  { name: 'md5', got: md5('abc'), want: '900150983cd24fb0d6963f7d28e17f72' },
  { name: 'milliseconds of an offset', got: milliseconds('2020-01-01T01:00:00+01:00'), want: 1_577_836_800_000 },
  { name: 'milliseconds of a number', got: milliseconds(5), want: 5 },
  { name: 'seconds', got: seconds('2020-01-01T00:00:00.999Z'), want: 1_577_836_800 },
  { name: 'isoDate', got: isoDate('2020-01-01T01:00:00+01:00'), want: '2020-01-01T00:00:00.000Z' },
  { name: 'invalid dates', got: [seconds('soon'), isoDate('soon'), isoDate(1e20)], want: Array(3).fill(undefined) },
  {
    name: 'instant of seconds, milliseconds and texts without a zone',
    got: [1_577_836_800, 1_577_836_800_000, '2020-01-01', '2020-01-01 00:00:00', '2020-01-01T02:00:00+02:00'].map(
      instant,
    ),
    want: Array(5).fill(1_577_836_800_000),
  },
  {
    name: 'instant of days that do not exist, and other texts',
    got: ['2024-02-30', '2024-13-01', 'soon', '1/2/2024', ''].map(instant),
    want: Array(5).fill(undefined),
  },
  {
    name: 'timeZoneOffset in winter and summer',
    got: [Date.UTC(2024, 0), Date.UTC(2024, 6)].flatMap((at) =>
      ['Europe/Berlin', 'America/St_Johns', 'UTC'].map((zone) => timeZoneOffset(zone, at)),
    ),
    want: [3600, -12_600, 0, 7200, -9000, 0],
  },
  {
    name: 'timeZoneOffset of no zone',
    got: [timeZoneOffset('Mars', 0), timeZoneOffset(1, 0)],
    want: [undefined, undefined],
  },
  {
    name: 'money',
    got: [money('$4.50'), money(' 7 € '), money(3), money('1,299.50'), money('free'), money([])],
    want: [4.5, 7, 3, undefined, undefined, undefined],
  },
  { name: 'twoDecimals', got: [twoDecimals('9.999'), twoDecimals(1.005), twoDecimals('x')], want: [10, 1, undefined] },
  { name: 'oneOf', got: [oneOf({ a: 1 })('a'), oneOf({ a: 1 })('toString')], want: [1, undefined] },
  { name: 'renamed', got: [renamed({ a: 'b' })('a'), renamed({ a: 'b' })('c')], want: ['b', 'c'] },
  { name: 'list', got: [list('a'), list(['a'])], want: [['a'], ['a']] },
  { name: 'basicAuth', got: basicAuth('Aladdin', 'open sesame'), want: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
]

describe('converters', () => {
  for (const { name, got, want } of cases) it(name, () => expect(got).toEqual(want))
})
