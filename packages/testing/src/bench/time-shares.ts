import type { Event } from '@sluice/core'
import type { SandboxOptions } from '@sluice/sandbox'
import type { Subject } from '../run/offline-run.ts'
import type { MeasuredCell, TimeShares } from './bench-report.ts'
import { warmUp } from './measure-cell.ts'
import { type OpenCell, openCell } from './open-cell.ts'
import { batchesOf } from './spread.ts'

/** Returns nothing, to measure the cost of getting events into the sandbox. */
const takes: Subject = { name: 'takes', code: 'export function transformEvent(event) { return null }' }
const givesBack: Subject = { name: 'returns', code: 'export function transformEvent(event) { return event }' }
const turns = 3

/**
 * Measures where an event spends its time, with one batch at a time. The way in is the time of a transformation that
 * drops everything. The way out is the additional time of one that returns its event, scaled by the actual output
 * bytes. The rest is user code; the three add up to the total. They are measured in alternation, and the least time of
 * each batch counts, to exclude other load.
 *
 * @param outputRatio output bytes per input byte.
 */
export async function measureTimeShares(
  subject: Subject,
  events: readonly Event[],
  cell: MeasuredCell,
  { outputRatio, timeMs, sandbox }: { outputRatio: number; timeMs: number; sandbox: SandboxOptions },
): Promise<TimeShares> {
  const opened: OpenCell[] = []
  try {
    // Code that takes longer than the time has been measured well enough.
    const isSlow = cell.p50Ms * cell.batch > timeMs / turns
    for (const one of isSlow ? [takes, givesBack] : [takes, givesBack, subject])
      opened.push(await openCell(one, { ...cell, workers: 1 }, sandbox))
    // New threads are slower for a while, and the recommended cell was measured after that.
    for (const open of opened) await warmUp(open, events.slice(0, cell.batch), timeMs / 2)
    const batches = batchesOf(events, cell.batch)
    const leastOf = new Map(opened.map((open) => [open, batches.map(() => Number.POSITIVE_INFINITY)]))
    for (let turn = 0; turn < turns; turn += 1)
      for (const [open, least] of leastOf) await lowerTimes(least, open, batches, timeMs / turns)
    const [inMs = 0, bothMs = 0, allMs = cell.p50Ms] = [...leastOf.values()].map(
      (least) => least.reduce((sum, ms) => sum + ms, 0) / batches.length / cell.batch,
    )
    return sharesOf(allMs, inMs, Math.max(0, bothMs - inMs) * outputRatio)
  } finally {
    await Promise.all(opened.map((open) => open.close()))
  }
}

/** Runs the batches in alternation, all of them at least once, and stores the least time of each in `least`. */
async function lowerTimes(
  least: number[],
  open: OpenCell,
  batches: readonly (readonly Event[])[],
  timeMs: number,
): Promise<void> {
  const end = performance.now() + timeMs
  do
    for (const [place, batch] of batches.entries()) {
      const startedAt = performance.now()
      await open.run(batch)
      least[place] = Math.min(least[place] ?? Number.POSITIVE_INFINITY, performance.now() - startedAt)
    }
  while (performance.now() < end)
}

/** Limits crossing to the total time, which noise may make it exceed. */
export function sharesOf(allMs: number, inMs: number, outMs: number): TimeShares {
  const crossing = inMs + outMs
  const part = crossing > allMs ? allMs / crossing : 1
  const [crossingInMs, crossingOutMs] = [inMs * part, outMs * part]
  return { crossingInMs, userCodeMs: Math.max(0, allMs - crossingInMs - crossingOutMs), crossingOutMs }
}
