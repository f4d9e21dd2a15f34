import type { JsonObject, JsonValue, StageError } from '@sluice/core'
import type { LoadedProgram } from '../batch-executor.ts'
import type { Crossing } from '../crossing/crossing.ts'
import type { ProbeMemory } from '../probes.ts'
import type { ProgramSource } from '../program.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchReply, BatchRequest } from '../vm/batch-message.ts'
import type { EngineBuild } from '../vm/engine.ts'
import type { WarmPrograms } from '../vm/machine-slot.ts'
import type { PackedReplies } from './packed-replies.ts'
import type { PackedRuns } from './packed-runs.ts'

/** Programs a worker remembers the source of. */
export const programsMax = 1_000

/** What a worker is made with; plain data, sent once. */
export interface WorkerSetup {
  readonly build: EngineBuild
  /** Chosen by the main thread, whose checks of the engine take as long as all else about starting. */
  readonly crossing: Crossing['name']
  readonly limits: SandboxLimits
  /** For each of its machines. */
  readonly warm: WarmPrograms
  /** Names of the async calls, which the main thread answers. */
  readonly asyncCalls: readonly string[]
  /** Machines of a worker: batches that wait for the host do not hold up others, up to this many. */
  readonly machines: number
  /** Shared with the main thread; see Progress. */
  readonly progress: SharedArrayBuffer
  readonly probes?: ProbeMemory
}

/** Time and randomness of one run as the host of the sandbox has them; absent parts are those of the platform. */
export interface RunAmbience {
  readonly nowMs?: number
  readonly seed?: number
}

/** A piece of work for a worker, which has been told the program before. */
export type Job = LoadJob | RunJob

interface LoadJob {
  readonly kind: 'load'
  readonly job: number
  /** Where its progress is written; see Progress. */
  readonly place: number
  readonly program: number
}

export interface RunJob {
  readonly kind: 'run'
  readonly job: number
  /** Where its progress is written; see Progress. */
  readonly place: number
  readonly program: number
  readonly request: BatchRequest
  readonly ambience: RunAmbience
  readonly credentials: JsonObject
}

/** What a run came to. */
export interface RanJob {
  readonly kind: 'ran'
  readonly job: number
  readonly reply: BatchReply
}

export type ToWorker =
  | { readonly kind: 'program'; readonly program: number; readonly source: ProgramSource }
  | { readonly kind: 'runs'; readonly runs: PackedRuns }
  | LoadJob
  | { readonly kind: 'abort'; readonly job: number }
  | { readonly kind: 'answer'; readonly call: number; readonly value: JsonValue }
  | { readonly kind: 'refusal'; readonly call: number; readonly name: string; readonly message: string }

export type FromWorker =
  | { readonly kind: 'ran'; readonly replies: PackedReplies }
  | Exclude<JobMessage, RanJob>
  | {
      readonly kind: 'call'
      readonly call: number
      /** Stands for the batch: all its calls have the same. */
      readonly batch: number
      readonly name: string
      /** A list, as JSON text: the main thread holds it as one string until the call's turn comes. */
      readonly args: string
      readonly credentials: JsonObject
    }
  | { readonly kind: 'callsOver'; readonly batch: number }

/** What a worker says about a job. */
export type JobMessage =
  | RanJob
  | { readonly kind: 'loaded'; readonly job: number; readonly result: LoadedProgram | StageError }
  /** The worker has forgotten the program; it is to be told again, then the job to be sent again. */
  | { readonly kind: 'unknown'; readonly job: number }
  | { readonly kind: 'aborted'; readonly job: number }
  /** The main thread has taken it back before it began. */
  | { readonly kind: 'recalled'; readonly job: number }
  /** The work failed by itself: a bug of ours. */
  | { readonly kind: 'broken'; readonly job: number; readonly message: string }
