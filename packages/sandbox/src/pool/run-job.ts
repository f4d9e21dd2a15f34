import type { JsonObject } from '@sluice/core'
import type { RunEnvironment } from '../run-environment.ts'
import type { BatchReply, BatchRequest } from '../vm/batch-request.ts'

export interface RunJob {
  readonly kind: 'run'
  readonly job: number
  /** Slot of its progress; see WorkerProgress. */
  readonly place: number
  readonly program: number
  readonly request: BatchRequest
  readonly environment: RunEnvironment
  readonly credentials: JsonObject
}

/** Result of a run. */
export interface RanJob {
  readonly kind: 'ran'
  readonly job: number
  readonly reply: BatchReply
}
