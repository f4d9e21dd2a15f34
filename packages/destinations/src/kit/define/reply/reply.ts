import type { JsonValue } from '@sluice/core'

/** Reply of a destination. */
export interface DestinationReply {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or the text if it is not JSON. */
  readonly body: JsonValue
}

/** What a reply means for delivery. `refresh` requests new OAuth tokens before the next attempt. */
export type ReplyOutcome = 'delivered' | 'retry' | 'throttled' | 'aborted' | 'refresh'

/** Result of reading a reply. */
export interface Verdict {
  readonly outcome: ReplyOutcome
  /** Status to report. Some destinations send 200 for failures. */
  readonly status: number
  readonly message: string
  /**
   * One verdict per item of the request, in its order (`Batch.parts`), if the reply distinguishes items. Overrides
   * `outcome`.
   */
  readonly items?: readonly ItemVerdict[]
}

/** Verdict on one item of a batch. */
export interface ItemVerdict extends Omit<Verdict, 'items'> {
  /** Number of records of the person, for a search: see `SearchRule`. */
  readonly records?: number
}
