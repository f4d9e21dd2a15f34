import type { BenchCell, MeasuredCell } from './bench-report.ts'

/** A cell that has this share of the best one's events per second is as good: measuring again may turn them round. */
export const recommendedShare = 0.9
/** Cells whose events fail more often than this beyond others run out of a limit. */
const failedMore = 0.01

const safest = ['event', 'batch', 'none'] as const

/**
 * Of the cells within 10 % of the most events per second, the one that asks least: the strictest isolation first, then the
 * fewest threads, then the smallest batch. Cells in which more events fail than in others do not count.
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

/** The one with the most events per second; of those, the first. */
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

/** With as many digits as mean something. */
export function milliseconds(ms: number): string {
  if (ms >= 10) return `${Math.round(ms).toLocaleString('en')} ms`
  if (ms >= 0.1) return `${ms.toFixed(1)} ms`
  return `${(ms * 1_000).toFixed(ms < 0.001 ? 1 : 0)} µs`
}
