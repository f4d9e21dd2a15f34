import { availableParallelism } from 'node:os'
import type { Event } from '@sluice/core'
import type { Isolation, SandboxOptions } from '@sluice/sandbox'
import { hottestLines, profileSubject } from '../profile/profile-subject.ts'
import type { Subject } from '../run/offline-runner.ts'
import type { BenchCell, BenchReport, HotLine, MeasuredCell } from './bench-report.ts'
import { measureEvents } from './event-times.ts'
import { readLimits, timeLimits } from './limit-use.ts'
import { measureCell } from './measure-cell.ts'
import { openCell } from './open-cell.ts'
import { advise, cellName, recommendedCell } from './recommend.ts'
import { measureShares } from './time-shares.ts'

/** The whole grid is gone through so often, so that a slow moment of the machine does not decide about a cell. */
const passes = 2
const hotLinesMax = 20

export interface BenchOptions {
  /** Batch sizes side by side; default 1, 10, 50 and 200, which is what production gives at most. */
  readonly batches?: readonly number[]
  /** Default all three. */
  readonly isolations?: readonly Isolation[]
  /** Numbers of threads; default one, and one less than there are cores where that is more. */
  readonly workers?: readonly number[]
  /** How long each cell is measured; default 400. */
  readonly timeMs?: number
  /** Limits and the like, as production is to have them. */
  readonly sandbox?: SandboxOptions
  /** Told what is measured next, and how much of all is done, 0 to 1. */
  readonly onProgress?: (what: string, done: number) => void
}

/**
 * Measures a transformation over events: every combination of batch size, isolation and threads, every event by itself,
 * where the time goes, and how near limits are.
 * @throws OfflineLoadError when the code cannot be loaded; RangeError without events.
 */
export async function benchTransformation(
  subject: Subject,
  events: readonly Event[],
  options: BenchOptions = {},
): Promise<BenchReport> {
  if (events.length === 0) throw new RangeError('a bench needs events')
  const { timeMs = 400, sandbox = {}, onProgress = () => {} } = options
  const grid = cellsOf(options)
  const steps = grid.length * passes + 4
  const measured = new Map<BenchCell, MeasuredCell>()
  for (let pass = 0; pass < passes; pass += 1)
    for (const [index, cell] of grid.entries()) {
      onProgress(cellName(cell), (pass * grid.length + index) / steps)
      const now = await measureCell(subject, events, cell, timeMs / passes, sandbox)
      measured.set(cell, betterOf(now, measured.get(cell)))
    }
  const cells = [...measured.values()]
  const recommended = recommendedCell(cells)

  onProgress('each event by itself', 1 - 4 / steps)
  const open = await openCell(subject, { isolation: recommended.isolation, workers: 1 }, sandbox)
  try {
    const eventTimes = await measureEvents(open, events)
    const { outcomes, limits } = await readLimits(open, events, sandbox.limits)
    onProgress('where the time goes', 1 - 3 / steps)
    const shares = await measureShares(subject, events, recommended, timeMs, sandbox)
    onProgress('line by line', 1 - 1 / steps)
    const report = {
      name: subject.name,
      events: events.length,
      outcomes,
      cells,
      recommended,
      eventTimes,
      shares,
      limits: [...timeLimits(eventTimes.maxMs, recommended, sandbox.limits), ...limits],
      hotLines: await hottestOf(subject, events, timeMs, sandbox),
    }
    return { ...report, advice: advise(report) }
  } finally {
    await open.close()
  }
}

function cellsOf({
  batches = [1, 10, 50, 200],
  isolations = ['event', 'batch', 'none'],
  workers = defaultWorkers(),
}: BenchOptions): readonly BenchCell[] {
  return workers.flatMap((threads) =>
    isolations.flatMap((isolation) => batches.map((batch) => ({ batch, isolation, workers: threads }))),
  )
}

/** What the machine does besides only ever makes a cell slower. */
function betterOf(now: MeasuredCell, before: MeasuredCell = now): MeasuredCell {
  return {
    ...now,
    eventsPerSecond: Math.max(now.eventsPerSecond, before.eventsPerSecond),
    p50Ms: Math.min(now.p50Ms, before.p50Ms),
    p99Ms: Math.min(now.p99Ms, before.p99Ms),
    memoryBytes: Math.max(now.memoryBytes, before.memoryBytes),
  }
}

function defaultWorkers(): readonly number[] {
  const most = availableParallelism() - 1
  return most > 1 ? [1, most] : [1]
}

async function hottestOf(
  subject: Subject,
  events: readonly Event[],
  timeMs: number,
  sandbox: SandboxOptions,
): Promise<readonly HotLine[]> {
  const { probes: _, clock: __, random: ___, api: ____, ...rest } = sandbox
  const profile = await profileSubject(subject, events, { timeMs, sandbox: rest })
  return hottestLines(profile, { count: hotLinesMax }).map(
    ({ file, line, source, hints, share, msPerEvent, hits }) => ({
      module: file,
      line,
      source,
      what: hints[0] ?? '',
      share,
      msPerEvent,
      hits,
    }),
  )
}
