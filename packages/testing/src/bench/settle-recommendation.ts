import type { MeasuredCell } from './bench-report.ts'
import { bestCell, recommendedCell, recommendedShare } from './recommend.ts'

/** So many recommendations are tried; the last one is the best cell itself. */
const triesMax = 4
const turns = 3

/**
 * Measures the recommended and the best cell again, in turns, so that what the machine does meanwhile hits both. Where the
 * recommended one turns out more than 10 % slower, its number is corrected and the next one is tried: the grid has many
 * cells, and some of them look good by luck.
 *
 * @param measure gives the events per second of a cell.
 * @returns the cells, with numbers by which `recommendedCell` finds the one that stood up.
 */
export async function settleRecommendation(
  given: readonly MeasuredCell[],
  measure: (cell: MeasuredCell) => Promise<number>,
): Promise<{ readonly cells: readonly MeasuredCell[]; readonly recommended: MeasuredCell }> {
  let cells = given
  const best = bestCell(given)
  for (let tries = 0; ; tries += 1) {
    const recommended = tries === triesMax ? best : recommendedCell(cells)
    if (recommended === best) return { cells, recommended }
    const ratio = await ratioOf(recommended, best, measure)
    if (ratio >= recommendedShare) return { cells, recommended }
    const eventsPerSecond = Math.min(recommended.eventsPerSecond, best.eventsPerSecond * ratio)
    cells = cells.map((cell) => (cell === recommended ? { ...cell, eventsPerSecond } : cell))
  }
}

/** How fast the first is, compared with the second: the median of several turns. */
export async function ratioOf<T>(first: T, second: T, measure: (one: T) => Promise<number>): Promise<number> {
  const ratios = await ratiosOf(first, second, measure, turns)
  return ratios[Math.floor(turns / 2)] ?? Number.NaN
}

/** In ascending order. The two take turns in going first. */
export async function ratiosOf<T>(
  first: T,
  second: T,
  measure: (one: T) => Promise<number>,
  count: number,
): Promise<readonly number[]> {
  const ratios: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const isFirst = turn % 2 === 0
    const one = await measure(isFirst ? first : second)
    const two = await measure(isFirst ? second : first)
    ratios.push(isFirst ? one / two : two / one)
  }
  return ratios.sort((a, b) => a - b)
}
