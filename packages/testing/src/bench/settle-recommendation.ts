import type { MeasuredCell } from './bench-report.ts'
import { bestCell, recommendedCell } from './recommend.ts'

/** When measured again, the recommended cell must come this close to the best one, so that it stays within 10 %. */
const settledShare = 0.95
/** Most recommendations to try. After that, the best cell itself is recommended. */
const triesMax = 4
const turns = 5

/**
 * Measures the recommended and the best cell again, in alternation, so that other load affects both equally. If the
 * recommended cell is not close enough, it is rejected, its number is corrected if it was too high, and the next one is
 * tried. This is needed because in a grid with many cells some look good by luck.
 *
 * @param measure returns the events per second of a cell.
 * @returns the cells, including the recommended one.
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
    const scale = eventsPerSecond / recommended.eventsPerSecond
    const [low, high] = recommended.eventsPerSecondQuartiles
    corrected.set(recommended, {
      ...recommended,
      eventsPerSecond,
      eventsPerSecondQuartiles: [low * scale, high * scale],
    })
  }
  return settled(best)
}

/** Returns the speed ratios of the first to the second, in ascending order. The two alternate in going first. */
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
