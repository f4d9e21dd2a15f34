import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTimeOf, isShownTime } from './iso-time.ts'

describe('the time of a text in ISO 8601', () => {
  it('is what Date.parse says of a text with a zone', () => {
    const time = fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    const zone = fc.constantFrom('Z', '+00:00', '-08:00', '+05:45', '+1400', '-0330')
    fc.assert(
      fc.property(time, zone, (date, zone) => {
        const local = date.toISOString().slice(0, -1)
        const colon = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
        expect(isoTimeOf(`${local}${zone}`)).toBe(Date.parse(`${local}${colon}`))
      }),
    )
  })

  it('is UTC without a zone', () => {
    const at = Date.UTC(2026, 1, 3, 4, 5, 6, 70)
    for (const text of ['2026-02-03T04:05:06.07', '2026-02-03 04:05:06.070000', '2026-02-03t04:05:06,07'])
      expect(isoTimeOf(text)).toBe(at)
    expect(isoTimeOf('2026-02-03')).toBe(Date.UTC(2026, 1, 3))
    expect(isoTimeOf('2026-02-03T04:05')).toBe(Date.UTC(2026, 1, 3, 4, 5))
    expect(isoTimeOf('2026-02-03T04:05+02')).toBe(Date.UTC(2026, 1, 3, 2, 5))
  })

  for (const text of [
    '',
    'not a date',
    '1700000000',
    '2026-02-30T00:00:00Z',
    '2026-13-01',
    '2026-02-03T24:00:00Z',
    '2026-02-03T04:60:00Z',
    '2026-02-03T04:05:06+24:00',
    '2026-02-03Z',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '-005947-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    'December 17, 1995 03:24:00',
    '2026-02-03T04:05:06Z ',
  ])
    it(`is none for ${JSON.stringify(text)}`, () => expect(isoTimeOf(text)).toBeUndefined())

  it('can be shown with four digits of a year, or not', () => {
    expect([Date.UTC(9999, 11, 31), Date.UTC(10_000, 0, 1), -63e12, Number.NaN].map(isShownTime)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
