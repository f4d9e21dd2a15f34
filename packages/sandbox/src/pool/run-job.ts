import type { JsonObject } from '@sluice/core'
import type { RunAmbience } from '../run-ambience.ts'
import type { BatchReply, BatchRequest } from '../vm/batch-request.ts'

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
