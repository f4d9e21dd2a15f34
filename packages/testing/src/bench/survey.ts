import type { Event, Outcome, SourcedEvent } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import { defaultSandboxLimits, type SandboxLimits } from '@sluice/sandbox'
import type { BenchReport, LimitUse } from './bench-report.ts'
import { warmUp } from './measure-cell.ts'
import type { OpenCell } from './open-cell.ts'

/** Measurements of events run once each, alone. */
export interface Survey {
  /** Time of each event in ms by index, in running order. */
  readonly timesMs: ReadonlyMap<number, number>
  /** Mean of these times. */
  readonly meanMs: number
  readonly outcomes: BenchReport['outcomes']
  readonly firstError: string | null
  readonly limits: readonly LimitUse[]
  /** Bytes of output JSON per byte of input JSON. */
  readonly outputRatio: number
}

/** Runs events alone, in this order, for at most `timeMs` but at least one event, and measures their outputs. */
export async function surveyEvents(
  open: OpenCell,
  events: readonly Event[],
  order: readonly number[],
  timeMs: number,
  given: Partial<SandboxLimits> = {},
): Promise<Survey> {
  const limits = withDefaults(defaultSandboxLimits, given)
  const timesMs = new Map<number, number>()
  const outcomes = { passed: 0, dropped: 0, failed: 0 }
  const sum = { inBytes: 0, outBytes: 0 }
  const most = { outputBytes: 0, fanOut: 0, logBytes: 0 }
  let firstError: string | null = null
  await warmUp(open, events.slice(0, 1), timeMs / 10)
  const end = performance.now() + timeMs
  for (const index of order) {
    const event = events[index]
    if (event === undefined) continue
    const startedAt = performance.now()
    if (startedAt > end && timesMs.size > 0) break
    const [outcome] = await open.run([event])
    timesMs.set(index, performance.now() - startedAt)
    outcomes[endingOf(outcome)] += 1
    if (outcome?.kind === 'fail') firstError ??= outcome.error.message
    const items = itemsOf(outcome)
    const outputBytes = Buffer.byteLength(JSON.stringify(items))
    sum.inBytes += Buffer.byteLength(JSON.stringify(event))
    sum.outBytes += items.length === 0 ? 0 : outputBytes
    most.outputBytes = Math.max(most.outputBytes, outputBytes)
    most.fanOut = Math.max(most.fanOut, items.length)
    most.logBytes = Math.max(most.logBytes, bytesOf(open.log))
  }
  return {
    timesMs,
    meanMs: [...timesMs.values()].reduce((all, ms) => all + ms, 0) / Math.max(1, timesMs.size),
    outcomes,
    firstError,
    limits: [
      { limit: 'output of one event', used: most.outputBytes, allowed: limits.outputBytesPerEvent, unit: 'bytes' },
      { limit: 'events made of one', used: most.fanOut, allowed: limits.fanOutMax, unit: 'events' },
      { limit: 'log of one event', used: most.logBytes, allowed: limits.logBytesPerEvent, unit: 'bytes' },
    ],
    outputRatio: sum.outBytes / Math.max(1, sum.inBytes),
  }
}

/** Returns the use of the time limits by the longest event and the longest batch of the recommended cell. */
export function timeLimits(
  maxMs: number,
  { batch, maxMs: perEventMs }: { readonly batch: number; readonly maxMs: number },
  given: Partial<SandboxLimits> = {},
): readonly LimitUse[] {
  const limits = withDefaults(defaultSandboxLimits, given)
  return [
    { limit: 'time of one event', used: maxMs, allowed: limits.eventTimeMs, unit: 'ms' },
    { limit: 'time of a batch', used: perEventMs * batch, allowed: limits.batchTimeMs, unit: 'ms' },
  ]
}

function endingOf(outcome: Outcome<SourcedEvent> | undefined): keyof BenchReport['outcomes'] {
  if (outcome?.kind === 'pass') return 'passed'
  return outcome?.kind === 'drop' ? 'dropped' : 'failed'
}

function itemsOf(outcome: Outcome<SourcedEvent> | undefined): readonly Event[] {
  return outcome?.kind === 'pass' ? outcome.items.map(({ event }) => event) : []
}

function bytesOf(log: readonly string[]): number {
  return log.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
}
