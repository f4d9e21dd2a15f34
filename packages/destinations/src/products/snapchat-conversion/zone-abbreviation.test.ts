import { expect, it } from 'vitest'
import { zoneAbbreviation } from './zone-abbreviation.ts'

const june = Date.UTC(2024, 5, 15)

it('returns the abbreviation that is used in the zone, or its offset', () => {
  const zones = ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'America/Sao_Paulo', 'Asia/Kathmandu', 'UTC']
  expect(zones.map((zone) => zoneAbbreviation(zone, june))).toEqual(['BST', 'EDT', 'IST', '-03', '+0545', 'UTC'])
})

it('depends on the time of year', () => expect(zoneAbbreviation('Europe/London', Date.UTC(2024, 0))).toBe('GMT'))

it('returns nothing for unknown zones and times', () => {
  expect([zoneAbbreviation('Mars/Base', june), zoneAbbreviation('', june), zoneAbbreviation('UTC', undefined)]).toEqual(
    ['', '', ''],
  )
})
