import type { Event } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import { defaultSandboxLimits, type SandboxOptions } from '@sluice/sandbox'
import type { Subject } from '../run/offline-run.ts'
import type { BenchCell, MeasuredCell, SkippedCell } from './bench-report.ts'
import { measureCell, warmUp } from './measure-cell.ts'
import { openCell } from './open-cell.ts'
import { cellName, milliseconds } from './recommend.ts'

/** Number of passes over the whole grid, so that a slow moment of the computer does not decide about a cell. */
const passes = 2
/** A batch that takes longer than this, or longer than the time of a cell, is skipped. */
const batchMsMax = 500
/** Time after which no further cell is started. */
const gridMsMax = 60_000

interface GridOptions {
  readonly batches: readonly number[]
  /** Levels of isolation and threads. Each has one sandbox, shared by all batch sizes. */
  readonly rows: readonly Omit<BenchCell, 'batch'>[]
  /** Time per cell. */
  readonly timeMs: number
  /** Time of an event alone, in ms. Slow code needs no warming up. */
  readonly eventMs: number
  readonly sandbox: SandboxOptions
  readonly onCell: (cell: BenchCell, done: number) => void
}

interface MeasuredGrid {
  readonly cells: readonly MeasuredCell[]
  readonly skipped: readonly SkippedCell[]
}

/**
 * Measures every combination over the same events. Smaller batches come first and predict the time of larger ones;
 * those that would take too long are skipped, except the smallest of each row. The second pass runs in reverse order.
 */
export async function measureGrid(
  subject: Subject,
  events: readonly Event[],
  { batches, rows, timeMs, eventMs, sandbox, onCell }: GridOptions,
): Promise<MeasuredGrid> {
  const cells = new Map<string, MeasuredCell>()
  const skipped = new Map<string, SkippedCell>()
  const allowedMs = withDefaults(defaultSandboxLimits, sandbox.limits).batchTimeMs
  const startedAt = performance.now()
  const ascending = [...new Set(batches)].sort((a, b) => a - b)
  const steps = passes * rows.length * ascending.length
  let step = 0
  for (let pass = 0; pass < passes; pass += 1)
    for (const row of rows) {
      const isFirst = pass === 0
      // Cells that take longer than the time are measured once.
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

/** The events are the same, and other load only makes a cell slower. */
function betterOf(now: MeasuredCell, before: MeasuredCell = now): MeasuredCell {
  return {
    ...now,
    eventsPerSecond: Math.max(now.eventsPerSecond, before.eventsPerSecond),
    eventsPerSecondQuartiles: (now.eventsPerSecond > before.eventsPerSecond ? now : before).eventsPerSecondQuartiles,
    p50Ms: Math.min(now.p50Ms, before.p50Ms),
    p99Ms: Math.min(now.p99Ms, before.p99Ms),
    maxMs: Math.min(now.maxMs, before.maxMs),
    // By the second pass the sandbox has already run larger batches.
    memoryBytes: before.memoryBytes,
    failedShare: Math.min(now.failedShare, before.failedShare),
  }
}
