import { type Event, identifierText } from '@sluice/core'
import type { DeferredEvent } from '@sluice/pipeline'
import { inChunks } from '../../in-chunks.ts'
import type { Db } from '../../sql-session.ts'
import { putUsers } from '../governance/put-users.ts'

/** Returns the lane of the user of an event. */
export type LaneOf = (event: Event) => number

/** Adds events in a transaction. */
export async function putDeferred(db: Db, events: readonly DeferredEvent[], laneOf: LaneOf): Promise<void> {
  await inChunks(events, (chunk) =>
    db
      .insertInto('deferred_event')
      .values(
        chunk.map((event) => ({
          id: event.id,
          workspace_id: event.workspaceId,
          destination_id: event.destinationId,
          message_id: identifierText(event.source.event.messageId),
          lane: laneOf(event.source.event),
          ...deferredColumns(event),
        })),
      )
      .execute(),
  )
  await putUsers(db, 'deferred_event_user', events)
}

/** The columns of an event that change when it is deferred again. */
export function deferredColumns(event: DeferredEvent) {
  return {
    user_keys_json: JSON.stringify(event.userKeys),
    due_at: Math.ceil(event.dueAt),
    event_json: JSON.stringify(event),
  }
}
