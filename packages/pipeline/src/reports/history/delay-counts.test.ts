import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DelayCounts, delayBoundsMs } from './delay-counts.ts'

const counted = (delays: readonly number[]): DelayCounts => {
  const counts = new DelayCounts()
  for (const delay of delays) counts.record(delay)
  return counts
}
const delays = fc.array(fc.integer({ min: 0, max: 10_800_000 }), { minLength: 1, maxLength: 50 })

describe('buckets of delays', () => {
  it('go from 1 ms to 3 h, each at most twice the one before', () => {
    expect([delayBoundsMs.at(0), delayBoundsMs.at(-1), delayBoundsMs.length]).toEqual([1, 10_800_000, 29])
    for (const [index, bound] of delayBoundsMs.entries()) {
      const before = delayBoundsMs[index - 1] ?? bound / 2
      expect(bound / before).toBeGreaterThan(1)
      expect(bound / before).toBeLessThanOrEqual(2)
    }
  })

  it('give a bound that is never below the true share and less than a bucket above it', () => {
    fc.assert(
      fc.property(delays, fc.constantFrom(0.5, 0.9, 0.99, 1), (all, share) => {
        const sorted = [...all].sort((a, b) => a - b)
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
        const within = counted(all).within(share) ?? 0
        expect(within).toBeGreaterThanOrEqual(exact)
        expect(within).toBeLessThanOrEqual(Math.max(1, 2 * exact))
      }),
    )
  })

  it('are the same whether delays are counted together or apart, stored and merged', () => {
    fc.assert(
      fc.property(delays, delays, (some, others) => {
        const merged = counted(some)
        for (const { reason, count } of counted(others).rows()) merged.add(reason, count)
        const together = counted(some)
        together.addAll(counted(others))
        expect(merged.rows()).toEqual(counted([...some, ...others]).rows())
        expect(together.rows()).toEqual(merged.rows())
        expect(merged.total).toBe(some.length + others.length)
      }),
    )
  })

  it('give no bound without any delay, nor for one beyond three hours', () => {
    expect(new DelayCounts().within(0.5)).toBeUndefined()
    const counts = counted([5, 10_800_001])
    expect([counts.within(0.5), counts.within(0.99)]).toEqual([5, undefined])
    counts.add('of a later release', 3)
    expect(counts.within(0.5)).toBeUndefined()
  })

  it('count a delay that a clock set back made negative as the shortest', () => {
    expect(counted([-5_000]).within(1)).toBe(1)
  })
})
