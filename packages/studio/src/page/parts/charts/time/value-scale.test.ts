import { describe, expect, it } from 'vitest'
import { linearScale, powerScale } from './value-scale.ts'

describe('the scale of values', () => {
  it('ends at a round number that is not below the highest value', () => {
    expect(linearScale(1_900).ticks).toEqual([0, 500, 1_000, 1_500, 2_000])
    expect(linearScale(4).ticks).toEqual([0, 1, 2, 3, 4])
    for (const highest of [1, 3, 7, 9.9, 42, 101, 999, 12_345, 1e9]) {
      const { ticks, toY } = linearScale(highest)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect([toY(0), toY(ticks.at(-1) ?? 0)]).toEqual([100, 0])
    }
  })

  it('has powers of ten for what reaches from milliseconds to hours', () => {
    const { ticks, toY } = powerScale([3, 40, 2_000])
    expect(ticks).toEqual([1, 10, 100, 1_000, 10_000])
    expect([toY(1), toY(100), toY(10_000), toY(0)]).toEqual([100, 50, 0, 100])
  })

  it('exists also where there is nothing', () => {
    expect(linearScale(0).toY(0)).toBe(100)
    expect(powerScale([0]).ticks).toEqual([1, 10])
  })
})
