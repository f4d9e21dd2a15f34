import type { Event } from '@sluice/core'
import type { SandboxOptions } from '@sluice/sandbox'
import { Bench } from 'tinybench'
import type { Subject } from '../run/offline-runner.ts'
import type { BenchCell, MeasuredCell } from './bench-report.ts'
import { batchesOf, openCell } from './open-cell.ts'

/** Batches under way for each thread: while one runs, the next is written and the last is read. */
const underWay = 4

/**
 * Measures one cell for `timeMs`, half of it one batch at a time, half of it with as many as the threads take, each after a
 * fifth of that to warm up.
 * @throws OfflineLoadError when the code cannot be loaded.
 */
export async function measureCell(
  subject: Subject,
  events: readonly Event[],
  cell: BenchCell,
  timeMs: number,
  sandbox: SandboxOptions = {},
): Promise<MeasuredCell> {
  const before = process.memoryUsage.rss()
  const open = await openCell(subject, cell, sandbox)
  try {
    const batches = batchesOf(events, cell.batch)
    const lanes = underWay * cell.workers
    let next = 0
    const one = async (): Promise<void> => {
      next += 1
      await open.run(batches[next % batches.length] ?? [])
    }
    const many = async (): Promise<void> => {
      await Promise.all(Array.from({ length: lanes }, one))
    }
    const bench = new Bench({ time: timeMs / 2, warmupTime: timeMs / 10, iterations: 3, warmupIterations: 1 })
    bench.add('one batch at a time', one).add('as many as threads take', many)
    const [alone, together] = (await bench.run()).map(({ result }) => result)
    if (alone?.state !== 'completed' || together?.state !== 'completed')
      throw new Error(`batch ${cell.batch} could not be measured`, { cause: [alone, together] })
    return {
      ...cell,
      eventsPerSecond: (lanes * cell.batch * 1_000) / together.latency.p50,
      p50Ms: alone.latency.p50 / cell.batch,
      p99Ms: alone.latency.p99 / cell.batch,
      memoryBytes: Math.max(0, process.memoryUsage.rss() - before),
    }
  } finally {
    await open.close()
  }
}

/** Of values in ascending order. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
