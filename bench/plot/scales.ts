/** From a value to a place: in pixels from the top of a panel, so larger values are higher. */
export interface Scale {
  /** Values with a line across the panel, in ascending order. */
  readonly ticks: readonly number[]
  place(value: number): number
}

/** Above the largest value there is room for its number. */
const headroom = 1.15

/** Equal ratios are equal distances, from the last tick below the values to the first one above. */
export function logScale(values: readonly number[], height: number): Scale {
  const lowest = Math.max(1, Math.min(...values))
  const highest = Math.max(...values, lowest) * headroom
  const rungs = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()
  const from = rungs.findLastIndex((rung) => rung <= lowest)
  const to = rungs.findIndex((rung) => rung > highest)
  const ticks = rungs.slice(from, to + 1)
  const [low = 1, high = 10] = [ticks.at(0), ticks.at(-1)]
  return { ticks, place: (value) => height * (1 - Math.log(value / low) / Math.log(high / low)) }
}

/** From 0 to the first tick above the values. */
export function linearScale(values: readonly number[], height: number): Scale {
  const highest = Math.max(1, ...values) * headroom
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [0.2, 0.5, 1, 2].map((digit) => digit * power).find((each) => highest / each < 5) ?? power
  const count = Math.floor(highest / step) + 1
  const ticks = Array.from({ length: count + 1 }, (_, n) => n * step)
  return { ticks, place: (value) => height * (1 - value / (count * step)) }
}
