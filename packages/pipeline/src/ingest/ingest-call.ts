import type { OnInvalid } from '@sluice/core'
import { type IngestErrorCode, ingestErrors } from './ingest-error.ts'
import type { IngestType } from './parse-events.ts'

export interface IngestCall {
  readonly writeKey: string
  readonly type: IngestType
  /** The parsed body. */
  readonly payload: unknown
  /** Length of the body that the payload was parsed from. The memory of the call is estimated from it. */
  readonly bytes?: number
  readonly requestIp?: string
  /** The payload was parsed from JSON for this call alone, so that its objects may be kept; default false. */
  readonly isOwn?: boolean
  /**
   * What a malformed event costs: the whole call (`refuse-call`) or only itself (`refuse-event`). Default: what its source
   * says, then what the engine says.
   */
  readonly onInvalid?: OnInvalid
}

export type IngestResult =
  | {
      readonly ok: true
      /**
       * One per well-formed event, in order. A suppressed event has one like any other: nothing in the answer tells
       * who is suppressed.
       */
      readonly messageIds: readonly string[]
      readonly rejected: readonly { readonly index: number; readonly reason: string }[]
    }
  | Refusal

/** Nothing of the call was taken, unless its outcome is unknown. */
export interface Refusal {
  readonly ok: false
  readonly code: IngestErrorCode
  readonly message: string
  /** Reason, when the code alone does not explain it. */
  readonly detail?: string
  /** The events may be stored: the store did not answer, and could not be asked. With the same ids, they may be sent again. */
  readonly outcome?: 'unknown'
}

export function refusal(code: IngestErrorCode, detail?: string): Refusal {
  return { ok: false, code, message: ingestErrors[code], detail }
}
