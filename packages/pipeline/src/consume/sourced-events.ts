import type { SourcedEvent } from '@sluice/core'
import type { LogBatch } from '../ports/event-log.ts'

/** Returns the events of batches in order, each with its source. */
export function sourcedEvents(batches: readonly LogBatch[]): readonly SourcedEvent[] {
  return batches.flatMap(({ workspaceId, sourceId, writeKey, receivedAt, events }) =>
    events.map((event) => ({ workspaceId, sourceId, writeKey, event, receivedAt })),
  )
}
