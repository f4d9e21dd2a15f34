import { describe, expect, it } from 'vitest'
import { createManualClock } from '../time/clock.ts'
import { uuidV4, uuidV7 } from './ids.ts'
import { createSeededRandom, systemRandom } from './random.ts'

describe('ids', () => {
  it('of version 4 have the form of a UUID and differ', () => {
    const ids = Array.from({ length: 1_000 }, () => uuidV4(systemRandom))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(1_000)
  })
  it('of version 7 sort by creation time in milliseconds', () => {
    const clock = createManualClock()
    const ids = Array.from({ length: 50 }, () => {
      clock.advance(1)
      return uuidV7(clock, systemRandom)
    })
    expect(ids.toSorted()).toEqual(ids)
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 0, 1) + 1)
  })
  it('repeat with the same seed', () => {
    expect(uuidV4(createSeededRandom(7))).toBe(uuidV4(createSeededRandom(7)))
    expect(uuidV4(createSeededRandom(7))).not.toBe(uuidV4(createSeededRandom(8)))
  })
})
