import type { Event } from './event.ts'

/** An event together with where it came from: what every stage before the destination transform takes and gives. */
export interface SourcedEvent {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  readonly event: Event
  /** When it was taken in, in milliseconds since the epoch, where that is known. */
  readonly receivedAt?: number
}
