import type { BenchCell, MeasuredCell } from './bench-report.ts'

/** A cell with this share of the best cell's events per second is as good, because measuring again may reverse them. */
const recommendedShare = 0.9
/** A cell whose share of failed events exceeds that of others by more than this exceeds a limit. */
const failedMore = 0.01

const safest = ['event', 'batch', 'none'] as const

/**
 * Returns the least demanding cell within 10 % of the most events per second: the strictest isolation first, then the
 * fewest threads, then the smallest batch. Ignores cells in which more events fail than in others.
 *
 * @throws RangeError without cells.
 */
export function recommendedCell(cells: readonly MeasuredCell[]): MeasuredCell {
  const best = bestCell(cells)
  const [cell = best] = soundOf(cells)
    .filter(({ eventsPerSecond }) => eventsPerSecond >= best.eventsPerSecond * recommendedShare)
    .sort(
      (a, b) => safest.indexOf(a.isolation) - safest.indexOf(b.isolation) || a.workers - b.workers || a.batch - b.batch,
    )
  return cell
}

/** Returns the first cell with the most events per second. */
export function bestCell(cells: readonly MeasuredCell[]): MeasuredCell {
  const [first, ...rest] = soundOf(cells)
  if (first === undefined) throw new RangeError('nothing was measured')
  return rest.reduce((best, cell) => (cell.eventsPerSecond > best.eventsPerSecond ? cell : best), first)
}

function soundOf(cells: readonly MeasuredCell[]): readonly MeasuredCell[] {
  const least = Math.min(...cells.map(({ failedShare }) => failedShare))
  return cells.filter(({ failedShare }) => failedShare <= least + failedMore)
}

/** `batch 200, isolation batch, 1 worker`. */
export function cellName({ batch, isolation, workers }: BenchCell): string {
  return `batch ${batch}, isolation ${isolation}, ${workers} worker${workers === 1 ? '' : 's'}`
}

/** Formats a time with at least two significant digits, in ms from 0.1 ms on, below in µs. */
export function milliseconds(ms: number): string {
  if (ms >= 100) return `${Math.round(ms).toLocaleString('en')} ms`
  if (ms >= 0.1) return `${ms.toFixed(ms >= 10 ? 1 : 2)} ms`
  return `${(ms * 1_000).toFixed(ms >= 0.01 ? 0 : ms >= 0.001 ? 1 : 2)} µs`
}
