import type { DeferredEntry, DeferredEvent, RetryResult } from '../deferred-event.ts'
import type { CountDelta } from './counter-store.ts'
import type { DeadLetter } from './dead-letter-store.ts'
import type { EventReceipt } from './receipt-store.ts'

/** Milliseconds for which the id of a write is remembered: many times the longest pause before it is tried again. */
export const writeIdMs = 3_600_000

/** Events that wait for another try. They are put here through `EventLog.commit` and `DeadLetterStore.replay`, too. */
export interface RetryStore {
  /** Puts events here, with what is to be counted of them; all of it or nothing. */
  add(workspaceId: string, events: readonly DeferredEvent[], counts: readonly CountDelta[]): Promise<void>
  /** The destinations something waits for, in order of id. */
  destinations(workspaceId: string): Promise<readonly string[]>
  /** What waits for one destination, in order of id. */
  entries(workspaceId: string, destinationId: string): Promise<readonly DeferredEntry[]>
  /** The events of these ids that still wait, in order of id. */
  read(workspaceId: string, ids: readonly string[]): Promise<readonly DeferredEvent[]>
  /** Of events that one user caused, in order of id. */
  ofUser(
    workspaceId: string,
    userId: string,
  ): Promise<readonly { readonly id: string; readonly destinationId: string }[]>
  /** Those with a message id, in order of id, at most `limit`. */
  ofMessage(workspaceId: string, messageId: string, limit: number): Promise<readonly DeferredEvent[]>
  /**
   * Stores the result of some retries, whole or not at all. An event that is no longer stored changes nothing; the
   * caller then passes no counts for it, because only one process at a time retries for a destination. A commit with a
   * `writeId` that is stored already changes nothing, so one whose answer was lost can be repeated; ids are remembered for
   * `writeIdMs` at least.
   */
  commit(
    result: RetryResult & {
      readonly counts: readonly CountDelta[]
      readonly receipts: readonly EventReceipt[]
      readonly deadLetters: readonly DeadLetter[]
    },
  ): Promise<void>
}
