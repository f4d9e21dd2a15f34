import { type BenchReport, type Comparison, cellName, type MeasuredCell, milliseconds } from '@sluice/testing'
import pc from 'picocolors'
import { printable } from '../printable.ts'
import { table } from '../table.ts'

const mebibyte = 1024 * 1024
const whole = (value: number): string => Math.round(value).toLocaleString('en')
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** The report for a terminal. */
export function benchText(report: BenchReport): string {
  const { name, events, outcomes, cells, recommended, eventTimes, shares, limits, hotLines, advice } = report
  const head = ['batch', 'isolation', 'workers', 'events/s', 'p50', 'p99', 'memory']
  const rows = cells.map((cell) => [...cellRow(cell), cell === recommended ? '◀' : ''])
  const all = shares.crossingInMs + shares.userCodeMs + shares.crossingOutMs
  const parts = [
    `${pc.bold(printable(name))}: ${events} events, ${outcomes.passed} passed, ${outcomes.dropped} dropped, ${outcomes.failed} failed`,
    table([[...head, ''], ...rows], 2),
    `one event by itself: p50 ${milliseconds(eventTimes.p50Ms)}, p99 ${milliseconds(eventTimes.p99Ms)}, max ${milliseconds(eventTimes.maxMs)}`,
    `where the time goes (${cellName(recommended)}): in ${percent(shares.crossingInMs / all)}, user code ${percent(shares.userCodeMs / all)}, out ${percent(shares.crossingOutMs / all)}`,
  ]
  if (hotLines.length > 0) parts.push(`hottest lines:\n${table(hotLines.slice(0, 5).map(hotRow), 1)}`)
  if (eventTimes.outliers.length > 0)
    parts.push(
      `outliers:\n${eventTimes.outliers.map(({ index, messageId, timeMs }) => `  event ${index + 1} (${printable(messageId ?? 'no messageId')}) ${milliseconds(timeMs)}`).join('\n')}`,
    )
  parts.push(
    `limits:\n${table(
      limits.map(({ limit, used, allowed, unit }) => [
        `  ${limit}`,
        `${unit === 'ms' ? milliseconds(used) : `${whole(used)} ${unit}`}`,
        `of ${whole(allowed)} ${unit}`,
      ]),
      1,
    )}`,
  )
  return `${parts.join('\n\n')}\n\n${pc.green(advice.map((line) => `→ ${printable(line)}`).join('\n'))}`
}

function cellRow({
  batch,
  isolation,
  workers,
  eventsPerSecond,
  p50Ms,
  p99Ms,
  memoryBytes,
}: MeasuredCell): readonly string[] {
  return [
    String(batch),
    isolation,
    String(workers),
    whole(eventsPerSecond),
    milliseconds(p50Ms),
    milliseconds(p99Ms),
    `${whole(memoryBytes / mebibyte)} MiB`,
  ]
}

function hotRow({ module, line, source, share, msPerEvent }: BenchReport['hotLines'][number]): readonly string[] {
  const text = printable(source.trim())
  return [
    `  ${module}:${line}  ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`,
    percent(share),
    `${milliseconds(msPerEvent)} per event`,
  ]
}

/** Which of two is faster, and where they differ. */
export function comparisonText(comparison: Comparison): string {
  const { name, other, cell, ratio, ratioRange, different, differentCount } = comparison
  const [least, most] = ratioRange
  const range = `${least.toFixed(2)} to ${most.toFixed(2)} times the events/s, ${cellName(cell)}`
  const speed =
    least > 1
      ? `${other} is faster than ${name}: ${ratio.toFixed(2)} times (${range})`
      : most < 1
        ? `${other} is slower than ${name}: ${ratio.toFixed(2)} times (${range})`
        : `${other} and ${name} are about as fast (${range})`
  const results =
    differentCount === 0
      ? 'both make the same of every event'
      : `they differ in ${differentCount} events: ${different.map((index) => index + 1).join(', ')}${differentCount > different.length ? ', …' : ''}`
  return `\n${printable(speed)}\n${results}`
}
