import { describe, expect, it } from 'vitest'
import { type Health, type HealthSigns, healthOf } from './health.ts'

const quiet: HealthSigns = { state: 'closed', endedLately: 0, failedLately: 0, waiting: 0 }
const cases: readonly (readonly [string, Partial<HealthSigns>, Health])[] = [
  ['nothing ends and nothing waits', {}, 'idle'],
  ['events end', { endedLately: 1 }, 'works'],
  ['events have just come', { waiting: 3, oldestMs: 900 }, 'works'],
  ['more than half fail', { endedLately: 5, failedLately: 3 }, 'failing'],
  ['exactly half fail', { endedLately: 6, failedLately: 3 }, 'works'],
  ['all of too few fail', { endedLately: 4, failedLately: 4 }, 'works'],
  ['it fails and is left alone', { state: 'open', endedLately: 9, failedLately: 9 }, 'failing'],
  ['it does not answer, and nothing is given up yet', { state: 'open', waiting: 9, oldestMs: 3_600_000 }, 'waiting'],
  ['a person paused it while it failed', { state: 'paused', endedLately: 9, failedLately: 9 }, 'paused'],
  ['the oldest event waits over a minute, usually none does', { waiting: 1, oldestMs: 60_001, usualMs: 50 }, 'slow'],
  ['the oldest event waits a minute', { waiting: 1, oldestMs: 60_000, usualMs: 50 }, 'works'],
  ['a wait is long, but usual', { waiting: 1, oldestMs: 100_000, usualMs: 10_000 }, 'works'],
  ['a wait is more than ten times as long as usual', { waiting: 1, oldestMs: 100_001, usualMs: 10_000 }, 'slow'],
  ['nothing waits any more', { waiting: 0, oldestMs: 500_000 }, 'idle'],
]

describe('health of a destination', () => {
  for (const [name, signs, wanted] of cases)
    it(`is ${wanted} when ${name}`, () => {
      expect(healthOf({ ...quiet, ...signs })).toBe(wanted)
    })
})
