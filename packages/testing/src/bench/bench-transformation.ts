import { availableParallelism } from 'node:os'
import type { Event } from '@sluice/core'
import type { Isolation, SandboxOptions } from '@sluice/sandbox'
import type { Subject } from '../run/offline-run.ts'
import { advise } from './advise.ts'
import type { BenchCell, BenchReport, EventTimes, MeasuredCell } from './bench-report.ts'
import { measureEventTimes } from './event-times.ts'
import { hotLinesOf } from './hot-lines.ts'
import { measureCell, warmUp } from './measure-cell.ts'
import { measureEngines } from './measure-engines.ts'
import { measureGrid } from './measure-grid.ts'
import { type OpenCell, openCell } from './open-cell.ts'
import { cellName } from './recommend.ts'
import { settleRecommendation } from './settle-recommendation.ts'
import { eventsAt, spreadOrder } from './spread.ts'
import { type Survey, surveyEvents, timeLimits } from './survey.ts'
import { measureTimeShares } from './time-shares.ts'

/** Time limit of phases other than the grid, in multiples of the time of a cell. */
const phaseCells = 4
/** Least time for phases that run all events, so that a short bench can finish them for fast code. */
const phaseMsMin = 500
/** Most events per cell; more would not fit into its time. */
const workMax = 1_000
/** Least time of the events of a cell, in ms, one by one. Less could miss rare slow events. */
const workMsMin = 100
/** The clock of a profile has a resolution of a millisecond. */
const profileMsMin = 200

export interface BenchOptions {
  /** Batch sizes to compare. Default 1, 10, 50 and 200, the largest in production. */
  readonly batches?: readonly number[]
  /** Default: all three. */
  readonly isolations?: readonly Isolation[]
  /** Numbers of threads. Default: one, and one less than the number of cores if that is more. In process always one. */
  readonly workers?: readonly number[]
  /** Time for each cell in ms; default 400. */
  readonly timeMs?: number
  /** Options of the sandbox, such as limits, as in production. */
  readonly sandbox?: SandboxOptions
  /** Called with the next phase and the progress, 0 to 1. */
  readonly onProgress?: (what: string, done: number) => void
}

/**
 * Measures a transformation over events: every combination of batch size, isolation and threads, single events, where
 * the time goes, and how close limits are. Takes some 20 × `timeMs` with the defaults, and at most a few times 60 s for
 * slow code: what does not fit is skipped and reported.
 *
 * @throws OfflineLoadError when the code cannot be loaded; RangeError without events or when an option is out of range.
 */
export async function benchTransformation(
  subject: Subject,
  events: readonly Event[],
  options: BenchOptions = {},
): Promise<BenchReport> {
  if (events.length === 0) throw new RangeError('a bench needs events')
  const { timeMs = 400, sandbox = {}, onProgress = () => {} } = options
  if (!(timeMs > 0)) throw new RangeError(`the time of a cell is ${timeMs} ms, must be above 0`)
  const { batches, rows } = gridOf(options)
  const order = spreadOrder(events.length)
  const phaseMs = Math.max(phaseMsMin, phaseCells * timeMs)
  onProgress('each event once', 0)
  const survey = await surveyOf(subject, events, order, rows[0], phaseMs, sandbox)
  const work = workOf(events, survey, Math.max(workMsMin, timeMs / 4))
  const onCell = (cell: BenchCell, done: number): void => onProgress(cellName(cell), 0.1 + done * 0.6)
  const grid = await measureGrid(subject, work, { batches, rows, timeMs, eventMs: survey.meanMs, sandbox, onCell })
  onProgress('the recommended cell and the best in turns', 0.7)
  const settled = await settle(subject, work, grid.cells, timeMs, sandbox)
  const { recommended } = settled
  const chosen = { ...sandbox, isolation: recommended.isolation, workers: 1 }
  onProgress('the recommended cell in both engines', 0.75)
  const engines = await measureEngines(subject, work, recommended, { timeMs, sandbox })
  onProgress('each event by itself', 0.8)
  const eventTimes = await timesOf(subject, events, survey, phaseMs, chosen)
  onProgress('where the time goes', 0.85)
  const { outputRatio } = survey
  const shares = await measureTimeShares(subject, work, recommended, { outputRatio, timeMs, sandbox })
  onProgress('line by line', 0.9)
  const profiled = eventsAt(events, order.slice(0, workMax))
  const profileMs = Math.max(profileMsMin, timeMs)
  const report = {
    name: subject.name,
    events: events.length,
    outcomes: survey.outcomes,
    firstError: survey.firstError,
    cells: settled.cells,
    skipped: grid.skipped,
    recommended,
    engines,
    eventTimes,
    shares,
    limits: [...timeLimits(eventTimes.maxMs, recommended, sandbox.limits), ...survey.limits],
    hotLines: await hotLinesOf(subject, profiled, { count: 20, timeMs: profileMs, sandbox: chosen }),
    slowLines: await hotLinesOf(subject, slowestOf(events, eventTimes), {
      count: 3,
      timeMs: profileMs,
      sandbox: chosen,
    }),
  }
  return { ...report, advice: advise(report) }
}

function gridOf({
  batches = [1, 10, 50, 200],
  isolations = ['event', 'batch', 'none'],
  workers,
  sandbox,
}: BenchOptions) {
  for (const number of [...batches, ...(workers ?? [])])
    if (!Number.isSafeInteger(number) || number < 1)
      throw new RangeError(`a batch size or number of threads is ${number}, must be a whole number of at least 1`)
  const threads = sandbox?.mode === 'in-process' ? [1] : (workers ?? defaultWorkers())
  const rows = threads.flatMap((count) => isolations.map((isolation) => ({ isolation, workers: count })))
  if (batches.length === 0 || rows.length === 0)
    throw new RangeError('a bench needs a batch size, an isolation and threads')
  return { batches, rows }
}

function defaultWorkers(): readonly number[] {
  const most = availableParallelism() - 1
  return most > 1 ? [1, most] : [1]
}

async function surveyOf(
  subject: Subject,
  events: readonly Event[],
  order: readonly number[],
  row: Omit<BenchCell, 'batch'> | undefined,
  timeMs: number,
  sandbox: SandboxOptions,
): Promise<Survey> {
  const open = await openCell(subject, { isolation: row?.isolation ?? 'batch', workers: 1 }, sandbox)
  try {
    return await surveyEvents(open, events, order, timeMs, sandbox.limits)
  } finally {
    await open.close()
  }
}

/** Returns events at even distances that together take this long one by one; at least one. */
function workOf(events: readonly Event[], { timesMs }: Survey, timeMs: number): readonly Event[] {
  const work: Event[] = []
  let sumMs = 0
  for (const [index, ms] of timesMs) {
    const event = events[index]
    if (event === undefined || work.length === workMax || (work.length > 0 && sumMs + ms > timeMs)) break
    work.push(event)
    sumMs += ms
  }
  return work
}

async function settle(
  subject: Subject,
  work: readonly Event[],
  cells: readonly MeasuredCell[],
  timeMs: number,
  sandbox: SandboxOptions,
) {
  const opened = new Map<MeasuredCell, OpenCell>()
  const openOf = async (cell: MeasuredCell): Promise<OpenCell> => {
    const known = opened.get(cell)
    if (known) return known
    const open = await openCell(subject, cell, sandbox)
    opened.set(cell, open)
    await warmUp(open, work.slice(0, cell.batch), timeMs / 2)
    return open
  }
  try {
    return await settleRecommendation(cells, async (cell) => {
      // Slow code has been measured well enough.
      if (cell.p50Ms * cell.batch > timeMs / 2) return cell.eventsPerSecond
      const { eventsPerSecond } = await measureCell(await openOf(cell), work, cell, timeMs / 2)
      return eventsPerSecond
    })
  } finally {
    await Promise.all([...opened.values()].map((open) => open.close()))
  }
}

async function timesOf(
  subject: Subject,
  events: readonly Event[],
  survey: Survey,
  timeMs: number,
  { isolation = 'batch', ...sandbox }: SandboxOptions,
): Promise<EventTimes> {
  const open = await openCell(subject, { isolation, workers: 1 }, sandbox)
  try {
    return await measureEventTimes(open, events, survey, timeMs)
  } finally {
    await open.close()
  }
}

/** Returns the events at the 99th percentile and above. */
function slowestOf(events: readonly Event[], { all, p99Ms }: EventTimes): readonly Event[] {
  const slow = all.filter(({ timeMs }) => timeMs >= p99Ms)
  return eventsAt(
    events,
    slow.map(({ index }) => index),
  )
}
