import { type Clock, type Random, type SourcedEvent, userKeyOf, uuidV7, type Workspace } from '@sluice/core'
import { type Flow, suppressLogged } from '../flow/flow.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import { eventDayOf } from '../ports/event-day-of.ts'
import type { LogPosition } from '../ports/log-position.ts'
import type { Store } from '../ports/store.ts'
import { CountTally } from '../reports/counts/count-tally.ts'

/** Which events of the log to send again. */
export interface LogReplayQuery {
  readonly destinationId: string
  /** When it was received, in milliseconds since the epoch: from `since` on, and before `until`. */
  readonly since: number
  readonly until: number
  /** The `next` of the step before; 0 for the first one. */
  readonly after: LogPosition
  /** Counts only what would be sent. */
  readonly dryRun: boolean
}

/** The result of one step of a replay. */
export interface ReplayStep {
  /** Events that are on their way now, or would be. */
  readonly matched: number
  /** Where the next step begins; left out when the replay is complete. */
  readonly next?: LogPosition
  /** True when so much waits for the destination that there is no room for more. */
  readonly isBusy?: boolean
}

interface LogReplayParts {
  readonly store: Pick<Store, 'log' | 'retries'>
  readonly clock: Clock
  readonly random: Random
  readonly workspace: Workspace
  readonly flow: Pick<Flow, 'suppress'>
  /** Position up to which the destination has committed the log: later events are on their way anyway. */
  readonly cursor: LogPosition
  /** How many events may be added to those that wait for the destination. */
  readonly room: number
  /** Called with the events that are deferred now. */
  deferred(events: readonly DeferredEvent[]): void
}

const eventsPerStep = 1_000
const batchesPerStep = 2_000
const batchesPerRead = 50

/**
 * Sends events of the log to a destination again, from its first stage on, whether they were delivered or not: events of
 * sources that are connected with it now, without those of users who are suppressed now.
 */
export async function replayLog(query: LogReplayQuery, parts: LogReplayParts): Promise<ReplayStep> {
  const { destinationId, since, until, dryRun } = query
  const { store, workspace, flow, cursor } = parts
  const sources = new Set(
    workspace.connections.flatMap((each) => (each.destinationId === destinationId ? each.sourceId : [])),
  )
  const chosen: SourcedEvent[] = []
  let after = query.after
  for (let read = 0; read < batchesPerStep; read += batchesPerRead) {
    const batches = await store.log.read(workspace.id, after, batchesPerRead)
    for (const { position, workspaceId, sourceId, writeKey, receivedAt, events } of batches) {
      if (position > cursor) return finish(chosen, undefined)
      const isChosen = sources.has(sourceId) && receivedAt >= since && receivedAt < until
      if (isChosen) {
        const left = dryRun ? Number.POSITIVE_INFINITY : parts.room - chosen.length
        if (chosen.length > 0 && (events.length > left || chosen.length + events.length > eventsPerStep))
          return finish(chosen, after)
        if (events.length > left && left <= 0) return { matched: 0, next: after, isBusy: true }
        const items = events.map((event) => ({ workspaceId, sourceId, writeKey, receivedAt, event }))
        const allowed = await suppressLogged(flow, items, new AbortController().signal)
        chosen.push(...allowed.map(({ item }) => item))
      }
      after = position
    }
    if (batches.length < batchesPerRead) return finish(chosen, undefined)
  }
  return finish(chosen, after)

  async function finish(items: readonly SourcedEvent[], next: LogPosition | undefined): Promise<ReplayStep> {
    if (!dryRun && items.length > 0) await send(items, destinationId, parts)
    return { matched: items.length, next }
  }
}

async function send(
  items: readonly SourcedEvent[],
  destinationId: string,
  { store, clock, random, workspace, deferred }: LogReplayParts,
): Promise<void> {
  const tally = new CountTally(workspace.id)
  const events = items.map((source): DeferredEvent => {
    tally.add(source.sourceId, destinationId, 'replayed', '', 1)
    tally.addNamed(source.sourceId, destinationId, 'replayed', {
      reason: '',
      named: eventDayOf(source, clock.now()),
      count: 1,
    })
    return {
      id: uuidV7(clock, random),
      workspaceId: workspace.id,
      destinationId,
      source,
      userKeys: [userKeyOf(source.event)],
      delivered: 0,
      attempts: 0,
      firstTriedAt: clock.now(),
      dueAt: clock.now(),
    }
  })
  await store.retries.add(workspace.id, events, tally.deltas())
  deferred(events)
}
