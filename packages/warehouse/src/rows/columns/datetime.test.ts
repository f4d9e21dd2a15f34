import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { datetimeOf } from './datetime.ts'

describe('datetime of a text', () => {
  const dates: Readonly<Record<string, string>> = {
    '2026-01-31': '2026-01-31T00:00:00.000Z',
    '2026-01-31 12:30': '2026-01-31T12:30:00.000Z',
    '2026-01-31|12:30:05': '2026-01-31T12:30:05.000Z',
    '2026-01-31T12:30:05.1Z': '2026-01-31T12:30:05.100Z',
    '2026-01-31T12:30:05.123456Z': '2026-01-31T12:30:05.123Z',
    '2026-01-31T12:30:05+02:00': '2026-01-31T10:30:05.000Z',
    '2026-01-31T12:30:05-0530': '2026-01-31T18:00:05.000Z',
    '2026-02-30': '2026-03-02T00:00:00.000Z',
    '2026-01-31T12:30:05Z\n': '2026-01-31T12:30:05.000Z',
    '0001-01-01': '0001-01-01T00:00:00.000Z',
  }
  for (const [text, want] of Object.entries(dates))
    it(`is ${want} for ${JSON.stringify(text)}`, () => expect(datetimeOf(text)).toBe(want))

  const others = [
    '',
    '2026',
    '2026-13-01',
    '2026-00-01',
    '2026-01-32',
    '2026-01-31T24:00',
    '2026-01-31T12:60',
    '2026-01-31T12:30:60',
    '2026-01-31T12:30:05+05',
    '2026-01-31T12:30:05+24:00',
    '2026-01-31t12:30:05z',
    '2026-01-31Z',
    '0000-01-01',
    '2026-W05-1',
    '2026-031',
    '1773480412000',
    'Sat, 31 Jan 2026 12:30:05 GMT',
    ' 2026-01-31',
    '2026-01-31T12:30:05Z\n\n',
    '0001-01-01T00:00+23:59',
  ]
  for (const text of others)
    it(`is missing for ${JSON.stringify(text)}`, () => expect(datetimeOf(text)).toBeUndefined())

  it('is the same date again', () => {
    const times = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') })
    fc.assert(fc.property(times, (date) => datetimeOf(date.toISOString()) === date.toISOString()))
  })
})
