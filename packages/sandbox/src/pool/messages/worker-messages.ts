import type { JsonObject, JsonValue, StageError } from '@sluice/core'
import type { LoadedProgram } from '../../batch-executor.ts'
import type { Crossing } from '../../crossing/crossing.ts'
import type { EngineChoice } from '../../engine-choice.ts'
import type { ProbeMemory } from '../../probes.ts'
import type { ProgramSource } from '../../program.ts'
import type { SandboxLimits } from '../../sandbox-limits.ts'
import type { WarmPrograms } from '../../vm/machine-slot.ts'
import type { RanJob, RunJob } from '../run-job.ts'
import type { PackedReplies } from './packed-replies.ts'
import type { PackedRuns } from './packed-runs.ts'

/** Number of programs whose source a worker keeps. */
export const programsMax = 1_000

/** Options of a new worker. Plain data, sent once. */
export interface WorkerSetup {
  readonly engine: EngineChoice
  /** The main thread chooses it, because checking the engine takes as long as the rest of the start. */
  readonly crossing: Crossing['name']
  readonly limits: SandboxLimits
  /** Limits of the programs that each of its machines keeps loaded. */
  readonly warm: WarmPrograms
  /** Names of the asynchronous host calls, which the main thread makes. */
  readonly asyncCalls: readonly string[]
  /** Number of machines of the worker. This many batches may wait for the host without delaying others. */
  readonly machines: number
  /** Shared with the main thread; see WorkerProgress. */
  readonly progress: SharedArrayBuffer
  readonly probes?: ProbeMemory
}

/** A job for a worker that has the program already. */
export type Job = LoadJob | RunJob

interface LoadJob {
  readonly kind: 'load'
  readonly job: number
  /** Slot of its progress; see WorkerProgress. */
  readonly place: number
  readonly program: number
}

export type MessageToWorker =
  | { readonly kind: 'program'; readonly program: number; readonly source: ProgramSource }
  | { readonly kind: 'runs'; readonly runs: PackedRuns }
  | LoadJob
  | { readonly kind: 'abort'; readonly job: number }
  | { readonly kind: 'answer'; readonly call: number; readonly value: JsonValue }
  | { readonly kind: 'refusal'; readonly call: number; readonly name: string; readonly message: string }

export type MessageFromWorker =
  | { readonly kind: 'ran'; readonly replies: PackedReplies }
  | Exclude<JobMessage, RanJob>
  | {
      readonly kind: 'call'
      readonly call: number
      /** Identifies the batch: all its calls have the same number. */
      readonly batch: number
      readonly name: string
      /** The list of arguments as JSON text. Calls that wait are kept as one string each. */
      readonly args: string
      readonly credentials: JsonObject
    }
  | { readonly kind: 'callsOver'; readonly batch: number }

/** A message of a worker about a job. */
export type JobMessage =
  | RanJob
  | { readonly kind: 'loaded'; readonly job: number; readonly result: LoadedProgram | StageError }
  /** The worker has evicted the program; send the program and the job again. */
  | { readonly kind: 'unknown'; readonly job: number }
  | { readonly kind: 'aborted'; readonly job: number }
  /** The main thread recalled the job before it started. */
  | { readonly kind: 'recalled'; readonly job: number }
  /** The job failed because of a bug of ours. */
  | { readonly kind: 'broken'; readonly job: number; readonly message: string }
