import type { Event, Outcome, SourcedEvent } from '@sluice/core'
import { Bench } from 'tinybench'
import type { BenchCell, MeasuredCell } from './bench-report.ts'
import type { OpenCell } from './open-cell.ts'
import { batchesOf, quantile } from './spread.ts'

/** Concurrent batches per thread: while one runs, the next is encoded and the last is decoded. */
const underWay = 4

/** Times of single batches in ms, with one batch at a time. */
interface BatchTimes {
  readonly meanMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/**
 * Measures one cell of an open sandbox for about `timeMs`, or longer if a batch takes longer. Half of the time runs one
 * batch at a time, the other half as many as the threads accept. Both run through all events a whole number of times,
 * so that all cells do the same work, rare slow events included. If one batch takes longer than the time, that batch
 * counts.
 */
export async function measureCell(
  open: OpenCell,
  events: readonly Event[],
  cell: BenchCell,
  timeMs: number,
): Promise<MeasuredCell> {
  const seen = { events: 0, failed: 0 }
  const run = async (batch: readonly Event[]): Promise<void> => count(await open.run(batch), seen)
  const [first = []] = batchesOf(events, cell.batch)
  const startedAt = performance.now()
  await run(first)
  const firstMs = performance.now() - startedAt
  const isSlow = firstMs > timeMs
  const alone = isSlow ? onlyTime(firstMs) : await measureAlone(run, events, cell.batch, timeMs / 2)
  const slowRate = (cell.batch * 1_000) / firstMs
  const rate: Rate =
    isSlow && cell.workers === 1
      ? { median: slowRate, quartiles: [slowRate, slowRate] }
      : await measureTogether(run, events, cell, isSlow ? 1 : underWay, timeMs / 2)
  return {
    ...cell,
    eventsPerSecond: rate.median,
    eventsPerSecondQuartiles: rate.quartiles,
    p50Ms: alone.p50Ms / cell.batch,
    p99Ms: alone.p99Ms / cell.batch,
    maxMs: alone.maxMs / cell.batch,
    memoryBytes: open.memoryBytes(),
    failedShare: seen.failed / seen.events,
  }
}

/** By then the code of a new thread is fully compiled. */
const warmUpMsMax = 2_000

/** Runs a batch repeatedly, at least once, because a new thread needs a while until its code is compiled. */
export async function warmUp(open: OpenCell, batch: readonly Event[], timeMs: number): Promise<void> {
  const end = performance.now() + Math.min(timeMs, warmUpMsMax)
  do await open.run(batch)
  while (performance.now() < end)
}

/** Runs batches one after another, all of them at least once. */
async function measureAlone(
  run: (batch: readonly Event[]) => Promise<unknown>,
  events: readonly Event[],
  size: number,
  timeMs: number,
): Promise<BatchTimes> {
  const batches = batchesOf(events, size)
  let next = 0
  const { mean, p50, p99, max } = await measured(timeMs, batches.length, async () => {
    next += 1
    await run(batches[next % batches.length] ?? [])
  })
  return { meanMs: mean, p50Ms: p50, p99Ms: p99, maxMs: max }
}

/** Events per second of repeated runs. */
interface Rate {
  readonly median: number
  readonly quartiles: readonly [low: number, high: number]
}

/** @returns events per second in the median run of all events, and in the slower and the faster quarter. */
async function measureTogether(
  run: (batch: readonly Event[]) => Promise<void>,
  events: readonly Event[],
  { batch: size, workers }: BenchCell,
  perWorker: number,
  timeMs: number,
): Promise<Rate> {
  const lanes = perWorker * workers
  const batches = batchesOf(events, size, lanes)
  const times: number[] = []
  const { p50 } = await measured(timeMs, 1, async () => {
    const startedAt = performance.now()
    const waiting = batches.values()
    const lane = async (): Promise<void> => {
      for (const batch of waiting) await run(batch)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    times.push(performance.now() - startedAt)
  })
  const perSecond = (ms: number): number => (batches.length * size * 1_000) / ms
  // The first runs warm up.
  const sorted = times.slice(Math.floor(times.length / 5)).sort((a, b) => a - b)
  const quartiles = [perSecond(quantile(sorted, 0.75)), perSecond(quantile(sorted, 0.25))] as const
  const median = perSecond(p50)
  return { median, quartiles: [Math.min(median, quartiles[0]), Math.max(median, quartiles[1])] }
}

/** A fifth of the time is for warming up. */
async function measured(timeMs: number, iterations: number, run: () => Promise<void>) {
  const warm = { warmupTime: timeMs / 5, warmupIterations: 1 }
  const bench = new Bench({ time: (timeMs * 4) / 5, iterations, ...warm, throws: true })
  bench.add('run', run, { async: true })
  const [task] = await bench.run()
  if (task === undefined || task.result.state !== 'completed') throw new Error('tinybench returned no result')
  return task.result.latency
}

function count(outcomes: readonly Outcome<SourcedEvent>[], seen: { events: number; failed: number }): void {
  seen.events += outcomes.length
  for (const { kind } of outcomes) if (kind === 'fail') seen.failed += 1
}

function onlyTime(ms: number): BatchTimes {
  return { meanMs: ms, p50Ms: ms, p99Ms: ms, maxMs: ms }
}
