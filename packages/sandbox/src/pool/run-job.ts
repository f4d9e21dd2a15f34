import type { JsonObject } from '@sluice/core'
import type { BatchReply, BatchRequest } from '../vm/batch-request.ts'

/** Time and randomness of one run. Absent members come from the platform. */
export interface RunAmbience {
  readonly nowMs?: number
  readonly seed?: number
}

export interface RunJob {
  readonly kind: 'run'
  readonly job: number
  /** Slot of its progress; see WorkerProgress. */
  readonly place: number
  readonly program: number
  readonly request: BatchRequest
  readonly ambience: RunAmbience
  readonly credentials: JsonObject
}

/** Result of a run. */
export interface RanJob {
  readonly kind: 'ran'
  readonly job: number
  readonly reply: BatchReply
}
