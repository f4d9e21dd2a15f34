import type { Event, SourcedEvent, StageError } from '@sluice/core'
import type { DeliveryTry } from '@sluice/delivery'

/** What is left to be sent of one output of an event. */
export interface DeferredOutput {
  /** As the user transformation left it. */
  readonly event: Event
  /** Which of its requests are done, by their place. */
  readonly done: readonly number[]
  /** Why one of its requests was given up. */
  readonly failure?: StageError
}

/** An event that could not be delivered yet. It is pending; nothing of its users overtakes it. */
export interface DeferredEvent {
  /** UUID, growing with time. */
  readonly id: string
  readonly workspaceId: string
  readonly destinationId: string
  /** As it was accepted, and the other accepted events that its outputs may have been made of. */
  readonly source: SourcedEvent
  /** Left out, all of it is to be done: the user transformation too. */
  readonly outputs?: readonly DeferredOutput[]
  /** Whose later events wait behind it. */
  readonly userKeys: readonly string[]
  /** Why the last attempt failed; absent while it only waits behind another. */
  readonly lastError?: Pick<StageError, 'code' | 'message'>
  /** Requests that were delivered before. */
  readonly delivered: number
  /** Why a part of it failed before; the outcome of the event will be `failed`. */
  readonly failure?: { readonly stage: string; readonly error: StageError }
  readonly attempts: number
  /** Since when it is tried, in milliseconds since the epoch; absent while it only waits behind another. */
  readonly firstTriedAt?: number
  /** Its newest tries, the last one at the end, at most ten; absent without any. */
  readonly tries?: readonly DeliveryTry[]
  /** When it is tried next, in milliseconds since the epoch. */
  readonly dueAt: number
}

/** What is known of a deferred event without reading it. */
export type DeferredEntry = Pick<DeferredEvent, 'id' | 'userKeys' | 'dueAt'>

/** The result of retrying some events of a destination. */
export interface RetryResult {
  /** Of this commit only, such as a UUID; the same when it is tried again, because the answer to it was lost. */
  readonly writeId: string
  readonly workspaceId: string
  readonly destinationId: string
  /** Events that ended. */
  readonly ended: readonly string[]
  /** Events that are to be tried again, in place of what is stored under their ids. */
  readonly again: readonly DeferredEvent[]
}
