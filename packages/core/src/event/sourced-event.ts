import type { Event } from './event.ts'
import type { EventOrigin } from './event-identifiers.ts'

/** An event and its origin: input and output of every stage before the destination transform. */
export interface SourcedEvent {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  readonly event: Event
  /** Time of ingestion in milliseconds since the epoch, where known. */
  readonly receivedAt?: number
  /**
   * Other accepted events that this one may have been made of: user code returned it for a batch, with a message id that
   * no event of the batch has. It belongs to the person of each of them, too.
   */
  readonly otherOrigins?: readonly EventOrigin[]
}
