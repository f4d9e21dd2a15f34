import type { JsonObject, JsonValue, StageError } from '@sluice/core'
import type { LoadedFacts } from '../batch-executor.ts'
import type { ProgramSource } from '../program.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchReply, BatchRequest } from '../vm/batch-message.ts'
import type { EngineBuild } from '../vm/engine.ts'
import type { WarmPrograms } from '../vm/machine-slot.ts'

/** What a worker is made with; plain data, sent once. */
export interface WorkerSetup {
  readonly build: EngineBuild
  readonly limits: SandboxLimits
  /** For each of its machines. */
  readonly warm: WarmPrograms
  /** Names of the async calls, which the main thread answers. */
  readonly asyncCalls: readonly string[]
  /** Machines of a worker: batches that wait for the host do not hold up others, up to this many. */
  readonly machines: number
  /** Shared with the main thread; see Progress. */
  readonly progress: SharedArrayBuffer
}

/** Time and randomness of one run as the host of the sandbox has them; absent parts are those of the platform. */
export interface RunAmbience {
  readonly nowMs?: number
  readonly seed?: number
}

/** A piece of work for a worker. The source comes along unless the worker has had it. */
export type Job = { readonly job: number; readonly program: number; readonly source?: ProgramSource } & (
  | { readonly kind: 'load' }
  | {
      readonly kind: 'run'
      readonly request: BatchRequest
      readonly ambience: RunAmbience
      readonly credentials: JsonObject
    }
)

export type ToWorker =
  | Job
  | { readonly kind: 'abort'; readonly job: number }
  | { readonly kind: 'answer'; readonly call: number; readonly value: JsonValue }
  | { readonly kind: 'refusal'; readonly call: number; readonly name: string; readonly message: string }

export type FromWorker =
  | { readonly kind: 'loaded'; readonly job: number; readonly result: LoadedFacts | StageError }
  | { readonly kind: 'ran'; readonly job: number; readonly reply: BatchReply }
  /** The worker has forgotten the program; the job is to be sent again with its source. */
  | { readonly kind: 'unknown'; readonly job: number }
  | { readonly kind: 'aborted'; readonly job: number }
  /** The work failed by itself: a bug of ours. */
  | { readonly kind: 'broken'; readonly job: number; readonly message: string }
  | {
      readonly kind: 'call'
      readonly call: number
      /** Stands for the batch: all its calls have the same. */
      readonly batch: number
      readonly name: string
      readonly args: readonly JsonValue[]
      readonly credentials: JsonObject
    }
  | { readonly kind: 'callsOver'; readonly batch: number }

/** What a worker says about a job. */
export type JobMessage = Exclude<FromWorker, { kind: 'call' | 'callsOver' }>
