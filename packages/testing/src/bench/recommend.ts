import type { BenchCell, BenchReport, LimitUse, MeasuredCell } from './bench-report.ts'

/** A cell that is this near to the best one is as good: measuring again may turn them round. */
const nearness = 0.9

const safest = ['event', 'batch', 'none'] as const

/**
 * Of the cells within 10 % of the most events per second, the one that asks least: the strictest isolation first, then the
 * fewest threads, then the smallest batch.
 */
export function recommendedCell(cells: readonly MeasuredCell[]): MeasuredCell {
  const best = Math.max(...cells.map(({ eventsPerSecond }) => eventsPerSecond))
  const [cell] = cells
    .filter(({ eventsPerSecond }) => eventsPerSecond >= best * nearness)
    .sort(
      (a, b) => safest.indexOf(a.isolation) - safest.indexOf(b.isolation) || a.workers - b.workers || a.batch - b.batch,
    )
  if (cell === undefined) throw new RangeError('nothing was measured')
  return cell
}

/** `batch 200, isolation batch, 1 worker`. */
export function cellName({ batch, isolation, workers }: BenchCell): string {
  return `batch ${batch}, isolation ${isolation}, ${workers} worker${workers === 1 ? '' : 's'}`
}

/** Less than this of a line is not worth a sentence. */
const noteworthyShare = 0.2
/** From this part of a limit on it is said how near it is. */
const nearLimit = 0.25

/** What the numbers mean, in sentences. */
export function advise(report: Omit<BenchReport, 'advice'>): readonly string[] {
  const { recommended, cells, eventTimes, shares, limits, hotLines, outcomes } = report
  const lines = [`${cellName(recommended)}: ${Math.round(recommended.eventsPerSecond).toLocaleString('en')} events/s`]
  lines.push(...strictest(recommended, cells))
  const [hottest] = hotLines
  const isNoteworthy = hottest !== undefined && hottest.share >= noteworthyShare
  const where = isNoteworthy
    ? `, ${hottest.share > 0.5 ? 'most' : `${percent(hottest.share)}`} of it in ${hottest.what === '' ? '' : `the ${hottest.what} on `}line ${hottest.line} of ${hottest.module}`
    : ''
  lines.push(`your p99 event takes ${milliseconds(eventTimes.p99Ms)}${where}`)
  const { crossingInMs, userCodeMs, crossingOutMs } = shares
  const allMs = crossingInMs + userCodeMs + crossingOutMs
  if (allMs > 0 && userCodeMs < allMs / 3)
    lines.push('most of the time goes into getting events in and out: smaller events help more than faster code')
  const [worst] = eventTimes.outliers
  if (worst)
    lines.push(
      `event ${worst.index + 1}${worst.messageId === null ? '' : ` (${worst.messageId})`} takes ${milliseconds(worst.timeMs)}, ${Math.round(worst.timeMs / eventTimes.p50Ms)} times what half of them take; sluice repl shows what becomes of it`,
    )
  lines.push(...limits.filter(({ used, allowed }) => used >= allowed * nearLimit).map(tellLimit))
  if (outcomes.failed > 0)
    lines.push(`${outcomes.failed} of ${report.events} events fail; failing is measured as well, so mend that first`)
  return lines
}

/** What a stricter isolation would cost, where the recommended one is not the strictest. */
function strictest(recommended: MeasuredCell, cells: readonly MeasuredCell[]): readonly string[] {
  if (recommended.isolation === 'event') return []
  const strict = cells.filter(({ isolation }) => isolation === 'event')
  const best = Math.max(0, ...strict.map(({ eventsPerSecond }) => eventsPerSecond))
  if (best === 0) return []
  return [
    `isolation event, where no event sees what another left, costs ${percent(1 - best / recommended.eventsPerSecond)} of that`,
  ]
}

function tellLimit({ limit, used, allowed, unit }: LimitUse): string {
  return `${limit}: ${percent(used / allowed)} of the limit of ${allowed.toLocaleString('en')} ${unit} is used`
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** With as many digits as mean something. */
export function milliseconds(ms: number): string {
  return ms < 0.1 ? `${Math.round(ms * 1_000)} µs` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
