import type { MeasuredCell } from './bench-report.ts'
import { bestCell, recommendedCell } from './recommend.ts'

/** Measured again, the recommended cell has to come this near to the best one: then it is within 10 % another time, too. */
const settledShare = 0.95
/** So many recommendations are tried; after them it is the best cell itself. */
const triesMax = 4
const turns = 5

/**
 * Measures the recommended and the best cell again, in turns, so that what the machine does meanwhile hits both. Where the
 * recommended one does not come near enough, it is not tried again, its number is corrected if it was too good, and the next
 * one has its turn: the grid has many cells, and some of them look good by luck.
 *
 * @param measure gives the events per second of a cell.
 * @returns the cells, one of which is the recommended one.
 */
export async function settleRecommendation(
  given: readonly MeasuredCell[],
  measure: (cell: MeasuredCell) => Promise<number>,
): Promise<{ readonly cells: readonly MeasuredCell[]; readonly recommended: MeasuredCell }> {
  const best = bestCell(given)
  const left = new Set(given)
  const corrected = new Map<MeasuredCell, MeasuredCell>()
  const settled = (recommended: MeasuredCell) => ({
    cells: given.map((cell) => corrected.get(cell) ?? cell),
    recommended,
  })
  for (let tries = 0; tries < triesMax; tries += 1) {
    const recommended = recommendedCell([...left])
    if (recommended === best) break
    const ratio = (await ratiosOf(recommended, best, measure, turns))[Math.floor(turns / 2)] ?? Number.NaN
    if (ratio >= settledShare) return settled(recommended)
    left.delete(recommended)
    const eventsPerSecond = Math.min(recommended.eventsPerSecond, best.eventsPerSecond * ratio)
    corrected.set(recommended, { ...recommended, eventsPerSecond })
  }
  return settled(best)
}

/** How fast the first is, for the second, in ascending order. The two take turns in going first. */
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
