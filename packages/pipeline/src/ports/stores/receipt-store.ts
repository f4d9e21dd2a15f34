import type { ErrorCode } from '@sluice/core'
import type { DeliveryTry } from '@sluice/delivery'

/** What became of one event at one destination. Written when it ends there; never for a suppressed event. */
export interface EventReceipt {
  readonly workspaceId: string
  readonly messageId: string
  readonly sourceId: string
  readonly destinationId: string
  readonly outcome: 'delivered' | 'dropped' | 'failed'
  /** The stage it ended in. */
  readonly stage: string
  /** Why it was dropped, or what failed: reason or error message; absent when delivered. */
  readonly reason?: string
  readonly code?: ErrorCode
  /** Requests that were delivered. */
  readonly outputs: number
  /** The version of the user transformation that ran, if one did. */
  readonly versionId?: string
  /** Its newest tries, the last one at the end, at most ten; absent where the first one delivered it, and without any. */
  readonly tries?: readonly DeliveryTry[]
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number
  /** When the event was accepted, in milliseconds since the epoch, where that is known. */
  readonly receivedAt?: number
}

/**
 * Receipts are written through `EventLog.commit` and kept for the newest events only. Where there are more than `receiptsMax`,
 * workspaces with most of them give up their oldest (see `fairLevel`).
 */
export interface ReceiptStore {
  /** How many are kept, over all workspaces. */
  readonly receiptsMax: number
  /** The receipts of one event, in order of destination. Empty for an id never seen, still pending, or long gone. */
  find(workspaceId: string, messageId: string): Promise<readonly EventReceipt[]>
  /** How many a workspace has. */
  count(workspaceId: string): Promise<number>
  /**
   * Counts the receipts that mention one of the identifiers in their message id or reason, in the sense of `createMentions`.
   * Reads all of a workspace.
   */
  mentioning(workspaceId: string, identifiers: readonly string[]): Promise<number>
  /** Deletes the receipts that `mentioning` counts. */
  forget(workspaceId: string, identifiers: readonly string[]): Promise<void>
}
