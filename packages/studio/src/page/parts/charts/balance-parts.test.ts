import { describe, expect, it } from 'vitest'
import { type BalancePart, balanceParts } from './balance-parts.ts'

const part = (name: string, value: number): BalancePart => ({ name, value, state: 'good' })
const widths = (whole: number, ...values: readonly number[]) =>
  balanceParts(
    whole,
    values.map((value, n) => part(String(n), value)),
  ).map(({ width }) => width)
const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)

describe('the parts of a balance', () => {
  it('fill the bar, each as wide as its share', () => {
    expect(widths(200, 150, 50)).toEqual([75, 25])
  })

  it('are seen where they exist, and the largest makes room for them', () => {
    const [large = 0, small = 0, none] = widths(1_000_000, 999_999, 1, 0)
    expect(small).toBe(0.6)
    expect(none).toBe(0)
    expect(large + small).toBe(100)
  })

  it('have one more for what is missing of the whole', () => {
    expect(balanceParts(10, [part('delivered', 7)]).at(-1)).toMatchObject({
      name: 'Not accounted for',
      value: 3,
      state: 'bad',
    })
  })

  it('fill the bar and no more where they are more than the whole, or nothing came', () => {
    expect(sum(widths(5, 5, 5))).toBe(100)
    expect(widths(0, 0, 0)).toEqual([0, 0])
  })
})
