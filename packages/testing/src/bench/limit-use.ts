import type { Event, Outcome, SourcedEvent } from '@sluice/core'
import { defaultSandboxLimits, type SandboxLimits } from '@sluice/sandbox'
import type { LimitUse, MeasuredCell } from './bench-report.ts'
import type { OpenCell } from './open-cell.ts'

/** What outcomes came to, and how near the nearest event came to each limit. */
export interface LimitReading {
  readonly outcomes: { passed: number; dropped: number; failed: number }
  readonly limits: readonly LimitUse[]
  /** The first failure, for people. */
  readonly firstError?: string
}

/** Runs every event once, alone, and looks at what comes out. */
export async function readLimits(
  open: OpenCell,
  events: readonly Event[],
  given: Partial<SandboxLimits> = {},
): Promise<LimitReading> {
  const limits = { ...defaultSandboxLimits, ...given }
  const outcomes = { passed: 0, dropped: 0, failed: 0 }
  let [outputBytes, fanOut, logBytes] = [0, 0, 0]
  let firstError: string | undefined
  for (const event of events) {
    const [outcome] = await open.run([event])
    if (outcome?.kind === 'pass') outcomes.passed += 1
    else if (outcome?.kind === 'drop') outcomes.dropped += 1
    else outcomes.failed += 1
    if (outcome?.kind === 'fail') firstError ??= outcome.error.message
    const items = itemsOf(outcome)
    fanOut = Math.max(fanOut, items.length)
    outputBytes = Math.max(outputBytes, Buffer.byteLength(JSON.stringify(items)))
    logBytes = Math.max(
      logBytes,
      open.log.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0),
    )
  }
  return {
    outcomes,
    limits: [
      { limit: 'output of one event', used: outputBytes, allowed: limits.outputBytesPerEvent, unit: 'bytes' },
      { limit: 'events made of one', used: fanOut, allowed: limits.fanOutMax, unit: 'events' },
      { limit: 'log of one event', used: logBytes, allowed: limits.logBytesPerEvent, unit: 'bytes' },
    ],
    ...(firstError !== undefined && { firstError }),
  }
}

/** The limits of time, for the longest event and a batch of the cell that is recommended. */
export function timeLimits(maxMs: number, cell: MeasuredCell, given: Partial<SandboxLimits> = {}): readonly LimitUse[] {
  const limits = { ...defaultSandboxLimits, ...given }
  return [
    { limit: 'time of one event', used: maxMs, allowed: limits.eventTimeMs, unit: 'ms' },
    { limit: 'time of a batch', used: cell.p99Ms * cell.batch, allowed: limits.batchTimeMs, unit: 'ms' },
  ]
}

function itemsOf(outcome: Outcome<SourcedEvent> | undefined): readonly Event[] {
  return outcome?.kind === 'pass' ? outcome.items.map(({ event }) => event) : []
}
