import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { type BenchReport, type Comparison, cellName, type MeasuredCell, milliseconds } from '@sluice/testing'
import pc from 'picocolors'

const mebibyte = 1024 * 1024
const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Formats the report for a terminal. */
export function benchText(report: BenchReport): string {
  const { name, cells, recommended, engines, eventTimes, hotLines, limits, advice, skipped } = report
  const rows = cells.map((cell) => [...cellRow(cell), cell === recommended ? '◀' : ''])
  const parts = [
    `${pc.bold(printable(name))}: ${outcomesText(report)}`,
    `per event:\n${table([[...cellHead, ''], ...rows], 2)}${skipped.map((cell) => `\n${skippedText(cell)}`).join('')}`,
    `one event by itself: p50 ${milliseconds(eventTimes.p50Ms)}, p99 ${milliseconds(eventTimes.p99Ms)}, max ${milliseconds(eventTimes.maxMs)}`,
    `where the time goes (${cellName(recommended)}): ${sharesOf(report)
      .map(({ label, ms, share }) => `${label} ${milliseconds(ms)} (${percent(share)})`)
      .join(', ')}`,
  ]
  if (engines)
    parts.push(
      `in both engines (${cellName(recommended)}): untrusted ${whole(engines.untrusted)} events/s, trusted ${whole(engines.trusted)} events/s`,
    )
  if (hotLines.length > 0) parts.push(`hottest lines:\n${table(hotLines.slice(0, 5).map(hotRow), 4)}`)
  if (eventTimes.outliers.length > 0)
    parts.push(
      `outliers:\n${eventTimes.outliers.map(({ index, messageId, timeMs }) => `  event ${index + 1} (${printable(messageId ?? 'no messageId')}) ${milliseconds(timeMs)}`).join('\n')}`,
    )
  parts.push(`limits:\n${table(limits.map(limitRow), 1)}`)
  return `${parts.join('\n\n')}\n\n${pc.green(advice.map((line) => `→ ${printable(line)}`).join('\n'))}`
}

/** `300 events, 270 passed, 30 dropped, 0 failed`. */
export function outcomesText({ events, outcomes: { passed, dropped, failed } }: BenchReport): string {
  const run = passed + dropped + failed
  const all = run === events ? `${whole(events)} events` : `${whole(run)} of ${whole(events)} events run`
  return `${all}, ${whole(passed)} passed, ${whole(dropped)} dropped, ${whole(failed)} failed`
}

/** Returns the parts of the time of an event; their shares add up to 1. */
export function sharesOf({ shares: { crossingInMs, userCodeMs, crossingOutMs } }: BenchReport) {
  const all = Math.max(Number.MIN_VALUE, crossingInMs + userCodeMs + crossingOutMs)
  return [
    { label: 'crossing in', ms: crossingInMs, share: crossingInMs / all },
    { label: 'user code', ms: userCodeMs, share: userCodeMs / all },
    { label: 'crossing out', ms: crossingOutMs, share: crossingOutMs / all },
  ]
}

export const cellHead = ['batch', 'isolation', 'workers', 'events/s', 'half of runs', 'p50', 'p99', 'max', 'memory']

export function cellRow(cell: MeasuredCell): readonly string[] {
  return [
    String(cell.batch),
    cell.isolation,
    String(cell.workers),
    whole(cell.eventsPerSecond),
    cell.eventsPerSecondQuartiles.map(whole).join('–'),
    milliseconds(cell.p50Ms),
    milliseconds(cell.p99Ms),
    milliseconds(cell.maxMs),
    `${whole(cell.memoryBytes / mebibyte)} MiB`,
  ]
}

export function skippedText(cell: BenchReport['skipped'][number]): string {
  return `${cellName(cell)}: not measured, ${cell.reason}`
}

function hotRow(hot: BenchReport['hotLines'][number]): readonly string[] {
  const { module, line, source, msPerEvent, isCounted, hits } = hot
  const counted = isCounted ? `, by ${whole(hits)} steps that are too short to time` : ''
  return [
    `  ${printable(module)}:${line}`,
    shareText(hot),
    `${milliseconds(msPerEvent)} per event${counted}`,
    // Last, so that a long line does not move the others.
    printable(source),
  ]
}

/** Shares that differ by less between rounds are shown as one. */
const shownSpread = 0.1

/** `43 %`, or `43 % (30 to 60 %)` when the rounds of the profile differ. */
export function shareText({ share, shareRange: [least, greatest] }: BenchReport['hotLines'][number]): string {
  if (greatest - least < shownSpread) return percent(share)
  return `${percent(share)} (${Math.round(least * 100)} to ${percent(greatest)})`
}

function limitRow({ limit, used, allowed, unit }: BenchReport['limits'][number]): readonly string[] {
  const shown = unit === 'ms' ? milliseconds(used) : `${whole(used)} ${unit}`
  return [`  ${limit}`, shown, `of ${whole(allowed)} ${unit}`]
}

/** Ratios this near to 1 count as equally fast. */
const alike = 0.05

const times = (ratio: number): string => (ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2))

/** Formats which of two transformations is faster, as far as measured, and for which events they differ. */
export function comparisonText(comparison: Comparison): string {
  const { name, other, cell, ratio, ratioRange, different, differentCount, compared } = comparison
  const [least, most] = ratioRange
  const range = `${times(least)} to ${times(most)} times the events/s, ${cellName(cell)}`
  const speed =
    least > 1
      ? `${other} is faster than ${name}: ${times(ratio)} times (${range})`
      : most < 1
        ? `${other} is slower than ${name}: ${times(ratio)} times (${range})`
        : least > 1 - alike && most < 1 + alike
          ? `${other} and ${name} are equally fast (${range})`
          : `which of ${other} and ${name} is faster is unclear (${range}); a longer --time may show it`
  const results =
    differentCount === 0
      ? `both return the same for ${compared === 1 ? 'the event' : `all ${whole(compared)} events`} compared`
      : `they differ in ${whole(differentCount)} of ${whole(compared)} events: ${different.map((index) => index + 1).join(', ')}${differentCount > different.length ? ', …' : ''}`
  return `\n${printable(speed)}\n${results}`
}
