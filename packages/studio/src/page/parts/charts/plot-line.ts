/** A number at one time; undefined where nothing was measured. */
export type Measured = number | undefined

/** Width and height in which charts are drawn, and then stretched to the room they get. */
export const plotWidth = 1_000
export const plotHeight = 100

/** Returns a number of the plot with two digits: paths stay short. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Where values are: from edge to edge of the plot, or each in the middle of its slot. */
type Places = 'edges' | 'slots'

/**
 * Returns the path of a line through values at even distances. It is broken where nothing was measured.
 * @param toY height of a value in the plot, 0 at its top.
 */
export function plotLine(
  values: readonly Measured[],
  toY: (value: number) => number,
  places: Places = 'edges',
): string {
  return runsOf(values, places)
    .map((run) => {
      const [first] = run
      // A single value between gaps is a short stroke.
      const points = run.length === 1 && first ? [first, { ...first, x: first.x + 1 }] : run
      return points.map(({ x, value }, n) => `${n === 0 ? 'M' : 'L'}${rounded(x)} ${rounded(toY(value))}`).join('')
    })
    .join('')
}

/** Returns the path of the area below a line. */
export function plotArea(
  values: readonly Measured[],
  toY: (value: number) => number,
  places: Places = 'edges',
): string {
  return runsOf(values, places)
    .filter((run) => run.length > 1)
    .map((run) => {
      const line = run.map(({ x, value }) => `L${rounded(x)} ${rounded(toY(value))}`).join('')
      return `M${rounded(run[0]?.x ?? 0)} ${plotHeight}${line}L${rounded(run.at(-1)?.x ?? 0)} ${plotHeight}Z`
    })
    .join('')
}

interface Point {
  readonly x: number
  readonly value: number
}

/** Returns values that follow each other without a gap, with their places. */
function runsOf(values: readonly Measured[], places: Places): readonly (readonly Point[])[] {
  const isInSlots = places === 'slots'
  const step = plotWidth / Math.max(1, isInSlots ? values.length : values.length - 1)
  const runs: Point[][] = []
  let run: Point[] | undefined
  for (const [n, value] of values.entries()) {
    if (value === undefined) {
      run = undefined
      continue
    }
    if (run === undefined) {
      run = []
      runs.push(run)
    }
    run.push({ x: (isInSlots ? n + 0.5 : n) * step, value })
  }
  return runs
}
