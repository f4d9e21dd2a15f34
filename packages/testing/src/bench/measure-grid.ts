import type { Event } from '@sluice/core'
import { defaultSandboxLimits, type SandboxOptions } from '@sluice/sandbox'
import type { Subject } from '../run/offline-runner.ts'
import type { BenchCell, MeasuredCell, SkippedCell } from './bench-report.ts'
import { measureCell, warmUp } from './measure-cell.ts'
import { openCell } from './open-cell.ts'
import { cellName, milliseconds } from './recommend.ts'

/** The whole grid is gone through so often, so that a slow moment of the machine does not decide about a cell. */
const passes = 2
/** A batch that takes longer, or longer than a cell is measured, is not waited for. */
const batchMsMax = 500
/** However slow the code is, after so long no further cell is begun. */
const gridMsMax = 60_000

export interface GridOptions {
  readonly batches: readonly number[]
  /** Levels of isolation and threads: each has one sandbox, which all batch sizes share. */
  readonly rows: readonly Omit<BenchCell, 'batch'>[]
  /** Of each cell. */
  readonly timeMs: number
  /** What an event takes by itself, in ms: code that is slow already needs no warming up. */
  readonly eventMs: number
  readonly sandbox: SandboxOptions
  readonly onCell: (cell: BenchCell, done: number) => void
}

export interface MeasuredGrid {
  readonly cells: readonly MeasuredCell[]
  readonly skipped: readonly SkippedCell[]
}

/**
 * Measures every combination over the same events. Smaller batches come first and tell what larger ones will take; those that would take
 * too long are skipped, apart from the smallest of each row. The second time goes through them the other way round.
 */
export async function measureGrid(
  subject: Subject,
  events: readonly Event[],
  { batches, rows, timeMs, eventMs, sandbox, onCell }: GridOptions,
): Promise<MeasuredGrid> {
  const cells = new Map<string, MeasuredCell>()
  const skipped = new Map<string, SkippedCell>()
  const allowedMs = { ...defaultSandboxLimits, ...sandbox.limits }.batchTimeMs
  const startedAt = performance.now()
  const ascending = [...new Set(batches)].sort((a, b) => a - b)
  const steps = passes * rows.length * ascending.length
  let step = 0
  for (let pass = 0; pass < passes; pass += 1)
    for (const row of rows) {
      const isFirst = pass === 0
      // Once is enough of what takes longer than there is time.
      const isWanted = (cell: BenchCell): boolean => {
        const before = cells.get(cellName(cell))
        return isFirst || (before !== undefined && before.p50Ms * cell.batch <= timeMs)
      }
      const wanted = ascending.map((batch) => ({ ...row, batch })).filter(isWanted)
      step += ascending.length - wanted.length
      if (wanted.length === 0) continue
      const open = await openCell(subject, row, sandbox)
      try {
        if (eventMs < timeMs / 2) await warmUp(open, events.slice(0, ascending[0]), timeMs / 2)
        let perEventMs = 0
        for (const cell of isFirst ? wanted : wanted.toReversed()) {
          const name = cellName(cell)
          onCell(cell, step / steps)
          step += 1
          const expectedMs = perEventMs * cell.batch
          if (isFirst && expectedMs > Math.max(batchMsMax, timeMs))
            skipped.set(name, { ...cell, reason: tooLong(expectedMs, allowedMs) })
          else if (isFirst && cells.size > 0 && performance.now() - startedAt > gridMsMax)
            skipped.set(name, { ...cell, reason: `${gridMsMax / 1_000} s were over` })
          else {
            const now = await measureCell(open, events, cell, timeMs / passes)
            perEventMs = now.p50Ms
            cells.set(name, betterOf(now, cells.get(name)))
          }
        }
      } finally {
        await open.close()
      }
    }
  return { cells: [...cells.values()], skipped: [...skipped.values()] }
}

function tooLong(expectedMs: number, allowedMs: number): string {
  const limit = expectedMs > allowedMs ? `, the limit is ${milliseconds(allowedMs)}` : ''
  return `a batch would take ${milliseconds(expectedMs)}${limit}`
}

/** The events were the same: what the machine does besides only ever makes a cell slower. */
function betterOf(now: MeasuredCell, before: MeasuredCell = now): MeasuredCell {
  return {
    ...now,
    eventsPerSecond: Math.max(now.eventsPerSecond, before.eventsPerSecond),
    p50Ms: Math.min(now.p50Ms, before.p50Ms),
    p99Ms: Math.min(now.p99Ms, before.p99Ms),
    maxMs: Math.min(now.maxMs, before.maxMs),
    // Later, the sandbox has served larger batches already.
    memoryBytes: before.memoryBytes,
    failedShare: Math.min(now.failedShare, before.failedShare),
  }
}
