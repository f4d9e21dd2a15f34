import type { Event } from './event.ts'

/** An event and its origin: input and output of every stage before the destination transform. */
export interface SourcedEvent {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  readonly event: Event
  /** Time of ingestion in milliseconds since the epoch, where known. */
  readonly receivedAt?: number
}
