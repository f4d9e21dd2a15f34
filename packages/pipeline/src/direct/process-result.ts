import type { Refusal } from '../ingest/ingest-call.ts'
import type { EventReceipt } from '../ports/stores/receipt-store.ts'

/** What became of an event at one destination. */
export type ProcessedAt = Pick<EventReceipt, 'destinationId' | 'outcome' | 'stage' | 'reason' | 'code' | 'outputs'>

/** An event that was processed without a log, in the order of the call. */
export interface ProcessedEvent {
  readonly messageId: string
  /** One per destination of its source; empty for an event that was suppressed or belongs nowhere. */
  readonly destinations: readonly ProcessedAt[]
}

export type ProcessResult =
  | {
      readonly ok: true
      readonly events: readonly ProcessedEvent[]
      readonly rejected: readonly { readonly index: number; readonly reason: string }[]
    }
  | Refusal
