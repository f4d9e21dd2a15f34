import type { Isolation } from '@sluice/sandbox'
import type { BenchReport, HotLine, LimitUse, MeasuredCell } from './bench-report.ts'
import { cellName, milliseconds } from './recommend.ts'

/** Smallest share of a line that is worth mentioning. */
const noteworthyShare = 0.2
/** Smallest part of a limit that is worth mentioning. */
const nearLimit = 0.25

/** Explains a report in sentences. The first recommends options. */
export function advise(report: Omit<BenchReport, 'advice'>): readonly string[] {
  const { recommended, eventTimes, slowLines, limits, outcomes, firstError } = report
  const lines = [
    `${cellName(recommended)}: ${rateText(recommended)}`,
    ...strictest(report),
    ...fasterEngine(report),
    `your p99 event takes ${milliseconds(eventTimes.p99Ms)}${whereTime(slowLines)}`,
    ...crossing(report),
    ...unsteady(report),
  ]
  const [worst] = eventTimes.outliers
  if (worst)
    lines.push(
      `event ${worst.index + 1}${worst.messageId === null ? '' : ` (${worst.messageId})`} takes ${milliseconds(worst.timeMs)}, ${Math.round(worst.timeMs / eventTimes.p50Ms)} times what half of them take; sluice repl shows what becomes of it`,
    )
  lines.push(...limits.filter(({ used, allowed }) => used >= allowed * nearLimit).map(tellLimit))
  const run = outcomes.passed + outcomes.dropped + outcomes.failed
  if (outcomes.failed > 0)
    lines.push(
      `${outcomes.failed} of ${run} events fail; failing is measured as well, so mend that first: ${firstError?.split('\n', 1)[0] ?? ''}`,
    )
  lines.push(...limited(report))
  if (run < report.events)
    lines.push(
      `events take long: ${run.toLocaleString('en')} of ${report.events.toLocaleString('en')} were run, spread evenly over the file; a longer --time runs more`,
    )
  return lines
}

/** Does not name a line that had little time in one of the rounds: which line is hottest was then chance. */
function whereTime([hottest]: readonly HotLine[]): string {
  if (hottest === undefined || hottest.shareRange[0] < noteworthyShare) return ''
  const much = hottest.shareRange[0] > 0.5 ? 'most' : percent(hottest.share)
  const what = hottest.what === '' ? '' : `the ${hottest.what} on `
  return `, ${much} of it in ${what}line ${hottest.line} of ${hottest.module}${remedyOf(hottest)}`
}

/** A share that differs by more than this between rounds says that other work took a part of the machine. */
const steadySpread = 0.2

function unsteady({ hotLines, slowLines }: Pick<BenchReport, 'hotLines' | 'slowLines'>): readonly string[] {
  const spread = ({ shareRange: [least, greatest] }: HotLine): number => greatest - least
  const [widest] = [...hotLines, ...slowLines].sort((a, b) => spread(b) - spread(a))
  if (widest === undefined || spread(widest) <= steadySpread) return []
  const [least, greatest] = widest.shareRange
  return [
    `the shares of lines are unsure: line ${widest.line} of ${widest.module} had ${percent(least)} to ${percent(greatest)} of the time in three rounds; measure again with nothing else running, or with a longer --time`,
  ]
}

/** What usually helps against lines of a kind. */
const remedies: Readonly<Record<string, string>> = {
  regex: 'check with includes before the regex runs, or use @sluice/pii',
  'JSON.parse': 'parse once and keep the result',
  'JSON.stringify': 'stringify only what is needed, or use structuredClone',
  loop: 'leave the loop early, or look up in a Map or Set made at the top level',
  fetch: 'fetch once per batch (transformBatch), or keep answers in a Map at the top level',
}

function remedyOf({ what, source, hits }: HotLine): string {
  const remedy = remedies[what]
  if (remedy !== undefined) return `: ${remedy}`
  const text = source.length > sourceMax ? `${source.slice(0, sourceMax - 1)}…` : source
  return ` (${text}), which ran ${hits.toLocaleString('en')} times in the profile`
}

/** Longest source shown in a sentence. */
const sourceMax = 60

/** Returns what a stricter isolation than the recommended one costs, and how the default compares. */
function strictest({ recommended, cells }: Pick<BenchReport, 'recommended' | 'cells'>): readonly string[] {
  const fastest = (wanted: Isolation): MeasuredCell | undefined =>
    cells
      .filter(({ isolation }) => isolation === wanted && isolation !== recommended.isolation)
      .sort((a, b) => b.eventsPerSecond - a.eventsPerSecond)[0]
  const [usual, strict] = [fastest('batch'), fastest('event')]
  return [
    ...(usual && isClear(usual, recommended)
      ? [`isolation batch, the default, gives ${rateText(usual)}, ${shareOf(usual, recommended)} of that`]
      : []),
    ...(strict && isClear(strict, recommended)
      ? [`isolation event, where no event sees what another left, costs ${lossOf(strict, recommended)} of that`]
      : []),
  ]
}

/** Whether a cell is slower than another by more than both vary. */
function isClear(slower: MeasuredCell, faster: MeasuredCell): boolean {
  const [, upper] = slower.eventsPerSecondQuartiles
  const [lower] = faster.eventsPerSecondQuartiles
  return slower.eventsPerSecond < faster.eventsPerSecond && upper < lower
}

const shareOf = (cell: MeasuredCell, of: MeasuredCell): string => percent(cell.eventsPerSecond / of.eventsPerSecond)
const lossOf = (cell: MeasuredCell, of: MeasuredCell): string => percent(1 - cell.eventsPerSecond / of.eventsPerSecond)
const rateText = ({ eventsPerSecond }: MeasuredCell): string =>
  `${Math.round(eventsPerSecond).toLocaleString('en')} events/s`

/** Returns what trusted code would gain, or what untrusted code would lose. */
function fasterEngine({ engines }: Pick<BenchReport, 'engines'>): readonly string[] {
  if (engines === undefined) return []
  const { untrusted, trusted } = engines
  const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')} events/s`
  const times = (trusted / untrusted).toFixed(1)
  const both = `untrusted code (QuickJS) ${rate(untrusted)}, trusted code (V8) ${rate(trusted)}, ${times} times`
  if (trusted < untrusted * worthwhileGain) return [`${both}: leave it untrusted`]
  return [
    `${both}: sandbox: { code: trusted } pays if all who write it could deploy code to the server anyway, for it can reach files and network there`,
  ]
}

/** Smallest gain for which trusting code is worth a thought. */
const worthwhileGain = 1.3

function crossing({ shares: { crossingInMs, userCodeMs, crossingOutMs } }: Pick<BenchReport, 'shares'>) {
  const allMs = crossingInMs + userCodeMs + crossingOutMs
  if (allMs === 0 || userCodeMs >= allMs / 3) return []
  return ['most of the time goes into getting events in and out: smaller events help more than faster code']
}

/** Mentions larger batches or more threads that would be faster but cannot be used. */
function limited({ cells, recommended, skipped }: Pick<BenchReport, 'cells' | 'recommended' | 'skipped'>) {
  const failing = cells.find((cell: MeasuredCell) => cell.failedShare > recommended.failedShare + 0.01)
  const [first] = skipped
  return [
    ...(failing
      ? [
          `with ${cellName(failing)}, ${percent(failing.failedShare)} of the events fail: they run out of a limit, or of what others left them`,
        ]
      : []),
    ...(first
      ? [
          `${skipped.length} of ${cells.length + skipped.length} combinations were not measured; ${cellName(first)}: ${first.reason}`,
        ]
      : []),
  ]
}

function tellLimit({ limit, used, allowed, unit }: LimitUse): string {
  return `${limit}: ${percent(used / allowed)} of the limit of ${allowed.toLocaleString('en')} ${unit} is used`
}

const percent = (share: number): string => `${Math.round(share * 100)} %`
