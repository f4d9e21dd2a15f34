import type { JsonObject, SourcedEvent } from '@sluice/core'
import type { EventMasks } from './event-masks.ts'
import { type ReadParts, type RecordedPlace, type RecordedQuery, readRecorded } from './read-recorded.ts'

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
  /** Where the next page begins; undefined when the log has no more. */
  readonly next?: RecordedPlace
}

interface RecordedParts extends ReadParts {
  readonly masks: EventMasks
}

/** Characters of the events together: what a page can hold of them. */
const charactersMax = 4 * 1_024 * 1_024

/**
 * Returns the newest events of the log, masked like payloads, without those of users who are suppressed now. The log is looked
 * through within the limits of `newestBatches`.
 */
export async function recordedEvents(query: RecordedQuery, parts: RecordedParts): Promise<RecordedEvents> {
  const { workspaceId, limit } = query
  const inTurns = parts.engine.inTurns(workspaceId)
  const read = readRecorded(query, parts)
  const events: RecordedEvent[] = []
  let characters = 0
  for await (const { records, receivedAt: acceptedAt, sourceId } of read.batches) {
    const mask = parts.masks(workspaceId, sourceId)
    const masked = ({ event }: SourcedEvent): JsonObject => {
      const { messageId } = event
      // Ids are needed to find an event again; one that contains an address is no reason to show that.
      const isShown = messageId !== undefined && mask.value(messageId) === messageId
      return { ...mask.event(event), ...(isShown ? { messageId } : {}) }
    }
    const newest = records.slice(-(limit - events.length)).reverse()
    const shown = await inTurns(newest, ({ source }) => masked(source))
    for (const [i, event] of shown.entries()) {
      characters += JSON.stringify(event).length
      const place = newest[i]?.place
      if (events.length > 0 && characters > charactersMax) return { events, isCut: true, next: behind(place) }
      events.push({ sourceId, acceptedAt, event })
      if (events.length >= limit) return { events, isCut: true, next: place }
    }
  }
  const position = read.next()
  return { events, isCut: position !== undefined, ...(position === undefined ? {} : { next: { position } }) }
}

/** Returns the place right behind an event, so that it is the first of the next page. */
function behind(place: Required<RecordedPlace> | undefined): RecordedPlace | undefined {
  return place && { ...place, index: place.index + 1 }
}
