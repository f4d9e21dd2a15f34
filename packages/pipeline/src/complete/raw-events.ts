import type { IngestType } from './ingest-type.ts'

/** Events as their sender wrote them, in place of the completed ones. */
export interface RawEvents {
  /** JSON text of a list of them. */
  readonly text: string
  readonly completion: Completion
}

/** What completes events that are kept as they were sent: see `completeAgain`. */
export interface Completion {
  /** How many events, in order. */
  readonly events: number
  /** Left out where the events are complete. */
  readonly call?: CompletedCall
}

/** A call whose events are kept as they were sent. */
export interface CompletedCall {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** By its address. Of a call with one event, that is its type. */
  readonly type: IngestType
  readonly requestIp?: string
  /** Of all events that have none. */
  readonly sentAt?: string
  /** The `messageId` that was made for an event which came without one, by its index in the call. */
  readonly ids?: Readonly<Record<string, string>>
}
