import type { JsonObject, SourcedEvent } from '@sluice/core'
import type { EventMasks } from './event-masks.ts'
import { type LogLookParts, newestOpenEvents } from './newest-open-events.ts'

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

interface RecordedParts extends LogLookParts {
  readonly masks: EventMasks
}

/** Characters of the events together: what a page can hold of them. */
const charactersMax = 4 * 1_024 * 1_024

/**
 * Returns the newest events of the log, masked like payloads, without those of users who are suppressed now. The log is looked
 * through within the limits of `newestBatches`.
 */
export async function recordedEvents(
  { workspaceId, destinationId, event: name, limit }: RecordedQuery,
  { masks, ...parts }: RecordedParts,
): Promise<RecordedEvents> {
  const inTurns = parts.engine.inTurns(workspaceId)
  const newest = newestOpenEvents(
    workspaceId,
    parts,
    ({ event }) => name === undefined || event === name,
    ({ destinationIds }) => destinationId === undefined || destinationIds.includes(destinationId),
  )
  const events: RecordedEvent[] = []
  let characters = 0
  for await (const { events: open, sourceId, receivedAt } of newest.batches) {
    const mask = masks(workspaceId, sourceId)
    const masked = (source: SourcedEvent): JsonObject => {
      const { messageId } = source.event
      // Ids are needed to find an event again; one that contains an address is no reason to show that.
      const isShown = messageId !== undefined && mask.value(messageId) === messageId
      return { ...mask.event(source.event), ...(isShown ? { messageId } : {}) }
    }
    const shown = await inTurns(open.slice(-(limit - events.length)).reverse(), masked)
    for (const event of shown) {
      characters += JSON.stringify(event).length
      if (events.length > 0 && characters > charactersMax) return { events, isCut: true }
      events.push({ sourceId, acceptedAt: receivedAt, event })
    }
    if (events.length >= limit) return { events, isCut: true }
  }
  return { events, isCut: newest.isCut() }
}
