import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DayCount, dayMs, daysMax, daysOf, sumDays } from './day-counts.ts'
import type { VersionDelta } from './schema-delta.ts'
import { sumVersions } from './sum-versions.ts'

const versionOf = (more: Partial<VersionDelta>): VersionDelta => ({
  writeKey: 'k1',
  eventType: 'track',
  eventIdentifier: 'Bought',
  schemaHash: 'a',
  schema: {},
  count: 1,
  firstSeen: 0,
  lastSeen: 0,
  ...more,
})
const dayCounts = fc.array(fc.record({ day: fc.nat(200), count: fc.integer({ min: 1, max: 50 }) }))

describe('counts by day', () => {
  it('counts a version without days on the day of its last event', () => {
    expect(daysOf([versionOf({ count: 3, lastSeen: 2 * dayMs - 1 })])).toEqual([{ day: 1, count: 3 }])
  })

  it('adds up by day, oldest first', () => {
    const versions = [
      versionOf({ count: 3, lastSeen: 2 * dayMs, days: [2, 1].map((day) => ({ day, count: day })) }),
      versionOf({ count: 5, lastSeen: dayMs }),
    ]
    expect(daysOf(versions)).toEqual([
      { day: 1, count: 6 },
      { day: 2, count: 2 },
    ])
  })

  it('keeps the newest days, whatever the order and however the counts are divided', () => {
    fc.assert(
      fc.property(dayCounts, fc.nat(), (counts, at) => {
        const cut = at % (counts.length + 1)
        const apart = [...sumDays(counts.slice(cut)), ...sumDays(counts.slice(0, cut))]
        const newest = Math.max(...counts.map(({ day }) => day))
        const kept = counts.filter(({ day }) => day > newest - daysMax)
        const sum = (all: readonly DayCount[]) => all.reduce((total, { count }) => total + count, 0)
        expect(sumDays(apart)).toEqual(sumDays(counts))
        expect(sum(sumDays(counts))).toBe(sum(kept))
        expect(sumDays(counts).length).toBeLessThanOrEqual(daysMax)
      }),
    )
  })

  it('keeps the days of versions that are merged', () => {
    const versions = [versionOf({ count: 2, lastSeen: dayMs }), versionOf({ count: 4, lastSeen: 3 * dayMs })]
    expect(daysOf(sumVersions({ versions }, 100))).toEqual(daysOf(versions))
  })
})
