import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fairLevel } from './fair-level.ts'

const amounts = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 10 })
const kept = (all: readonly number[], level: number): readonly number[] => all.map((amount) => Math.min(amount, level))
const sum = (all: readonly number[]): number => all.reduce((total, amount) => total + amount, 0)

describe('fair level', () => {
  it('is the amount left to the largest holders', () => {
    expect(fairLevel([1, 2, 3], 6)).toBe(Number.POSITIVE_INFINITY)
    expect(fairLevel([1, 100], 10)).toBe(9)
    expect(fairLevel([50, 1, 100], 11)).toBe(5)
    expect(fairLevel([], 0)).toBe(Number.POSITIVE_INFINITY)
  })

  it('uses the whole total, and takes nothing from holders of an equal share or less', () => {
    fc.assert(
      fc.property(amounts, fc.nat(2_000), (all, total) => {
        const level = fairLevel(all, total)
        const left = kept(all, level)
        expect(sum(left)).toBeCloseTo(Math.min(sum(all), total), 6)
        for (const [index, amount] of all.entries()) if (amount <= total / all.length) expect(left[index]).toBe(amount)
      }),
    )
  })
})
