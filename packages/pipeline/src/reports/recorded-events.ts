import type { Clock, JsonObject, SourcedEvent } from '@sluice/core'
import type { Store } from '../ports/store.ts'
import type { AskedEngine } from './asked-engine.ts'
import type { EventMasks } from './event-masks.ts'
import { newestBatches } from './users/newest-batches.ts'

/** An event of the log, personal data masked. */
export interface RecordedEvent {
  readonly sourceId: string
  /** Milliseconds since the epoch. */
  readonly acceptedAt?: number
  readonly event: JsonObject
}

export interface RecordedEvents {
  /** The newest first. */
  readonly events: readonly RecordedEvent[]
  /** Whether the log may have more that match. */
  readonly isCut: boolean
}

interface RecordedQuery {
  readonly workspaceId: string
  /** Only events that were accepted for this destination. */
  readonly destinationId?: string
  /** Only events of this name. */
  readonly event?: string
  readonly limit: number
}

interface RecordedParts {
  readonly store: Pick<Store, 'log'>
  readonly engine: AskedEngine
  readonly masks: EventMasks
  readonly clock: Pick<Clock, 'now'>
}

/** Characters of the events together: what a page can hold of them. */
const charactersMax = 4 * 1_024 * 1_024

/**
 * Returns the newest events of the log, masked like payloads, without those of users who are suppressed now. The log is looked
 * through within the limits of `newestBatches`.
 */
export async function recordedEvents(
  { workspaceId, destinationId, event: name, limit }: RecordedQuery,
  { store, engine, masks, clock }: RecordedParts,
): Promise<RecordedEvents> {
  const inTurns = engine.inTurns(workspaceId)
  const newest = newestBatches(
    store.log,
    workspaceId,
    { clock, engine },
    ({ event }) => name === undefined || event === name,
  )
  const events: RecordedEvent[] = []
  let characters = 0
  for await (const { events: found, destinationIds, sourceId, writeKey, receivedAt } of newest.batches) {
    if (destinationId !== undefined && !destinationIds.includes(destinationId)) continue
    const asked = found.map((event) => ({ source: { workspaceId, sourceId, writeKey, event, receivedAt } }))
    const open = await engine.reports.unsuppressed(workspaceId, asked)
    const mask = masks(workspaceId, sourceId)
    const masked = (source: SourcedEvent): JsonObject => {
      const { messageId } = source.event
      // Ids are needed to find an event again; one that contains an address is no reason to show that.
      const isShown = messageId !== undefined && mask.value(messageId) === messageId
      return { ...mask.event(source.event), ...(isShown ? { messageId } : {}) }
    }
    const shown = await inTurns(open.slice(-(limit - events.length)).reverse(), ({ source }) => masked(source))
    for (const event of shown) {
      characters += JSON.stringify(event).length
      if (events.length > 0 && characters > charactersMax) return { events, isCut: true }
      events.push({ sourceId, acceptedAt: receivedAt, event })
    }
    if (events.length >= limit) return { events, isCut: true }
  }
  return { events, isCut: newest.isCut() }
}
