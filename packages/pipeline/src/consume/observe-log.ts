import type { Clock } from '@sluice/core'
import { type Flow, observe, suppressLogged } from '../flow/flow.ts'
import type { LogBatch } from '../ports/event-log.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import { CountTally } from '../reports/counts/count-tally.ts'
import { countViolations } from '../reports/counts/violations.ts'
import type { LogCursor, Pace } from './cursor/log-cursor.ts'
import type { SharedPace } from './cursor/shared-pace.ts'
import { sourcedEvents } from './sourced-events.ts'

/**
 * Event shapes after which a commit is due. It bounds the memory for their samples and schemas, and the time for which
 * the commit keeps other workspaces' writes waiting: 0.1 ms per new shape in SQLite.
 */
const versionsPerCommitMax = 200
/** The same for new keys: a shape may have many. */
const keysPerCommitMax = 2_000
/** The same for characters of samples: while a workspace is new, most of its events are samples. */
const charactersPerCommitMax = 64 * 1_024

/**
 * How often observers commit: what one adds to the store hardly grows with the number of events. A crash repeats what is not
 * committed, and counts nothing twice.
 */
export const observerPace = { msMin: 500, msMax: 10_000, perSecondMax: 10 }
/** Events after which a commit is due whatever the pace. */
const eventsPerCommitMax = 20_000

interface ObserverPlace {
  readonly workspaceId: string
  readonly clock: Clock
  /** Returns the current flow. */
  flow(): Flow
  readonly telemetry?: Telemetry
  /** Shared by all workspaces: see `observerPace`. */
  readonly pace: SharedPace
  /** Work beside the log that is not part of a commit: done every so often, between two reads. */
  readonly upkeep: { readonly everyMs: number; run(): Promise<void> }
  /** Called with failures of the upkeep, which is then done again at its next time. */
  onError(error: unknown): void
}

/** Learns from the events of the log what the events of a workspace look like. */
export async function observeLog(cursor: LogCursor, place: ObserverPlace): Promise<void> {
  const { workspaceId, clock, upkeep } = place
  const share = place.pace.share()
  const paceNow = (): Pace => ({ ms: place.pace.ms, eventsMax: eventsPerCommitMax })
  const isFull = (): boolean => {
    const { pendingVersions, pendingKeys, pendingCharacters } = place.flow().observe
    if (pendingVersions >= versionsPerCommitMax || pendingKeys >= keysPerCommitMax) return true
    return pendingCharacters >= charactersPerCommitMax
  }
  let violations = new CountTally(workspaceId)
  let upkeptAt = clock.now()
  try {
    while (cursor.isOpen) {
      const batches = await cursor.read()
      for (const batch of batches) {
        await observeBatch(batch, place, violations, cursor.signal)
        cursor.passed({ batches: 1, events: 0 })
        share.gathers()
        if (isFull()) break
      }
      cursor.leaveRest()
      cursor.signal.throwIfAborted()
      if (cursor.hasUncommitted && (isFull() || cursor.isDue(paceNow()))) {
        const counts = violations.deltas()
        violations = new CountTally(workspaceId)
        await cursor.commit({ counts, receipts: [], observed: place.flow().observe.take() })
        share.done()
      }
      // The clock may have been set back.
      if (Math.abs(clock.now() - upkeptAt) >= upkeep.everyMs) {
        upkeptAt = clock.now()
        await upkeep.run().catch(place.onError)
      }
      const untilUpkeep = Math.min(upkeep.everyMs, upkeptAt + upkeep.everyMs - clock.now())
      if (batches.length === 0 && cursor.isOpen) await cursor.more(Math.min(untilUpkeep, cursor.untilDue(paceNow())))
    }
  } catch (error) {
    // What is not committed is read again.
    place.flow().observe.discard()
    throw error
  } finally {
    share.done()
  }
}

async function observeBatch(
  batch: LogBatch,
  { workspaceId, telemetry, flow: current }: ObserverPlace,
  violations: CountTally,
  signal: AbortSignal,
): Promise<void> {
  const flow = current()
  const allowed = await suppressLogged(flow, sourcedEvents([batch]), signal)
  const work = { kind: 'observe', workspaceId, inputs: allowed.length } as const
  if (allowed.length > 0) await around(telemetry, work, () => observe(flow, allowed, signal))
  const items = allowed.map(({ item }) => item)
  if (flow.violations) await countViolations(flow.violations, items, violations)
}
