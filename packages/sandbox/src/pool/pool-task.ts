import type { StageError } from '@sluice/core'
import { answersOfGroup, loading } from '../batch/on-enter.ts'
import type { LoadedProgram } from '../batch-executor.ts'
import type { ProgramSource } from '../program.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchReply } from '../vm/batch-request.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import type { PlacelessJob, PoolWorker } from './pool-worker.ts'
import type { ThreadLoad } from './thread-load.ts'

/** What a request is answered with. */
export type PoolAnswer = LoadedProgram | StageError | BatchReply

/** A request to the pool. */
export type PoolRequest = DistributiveOmit<PlacelessJob, 'job'>
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** A request with its state in the pool. */
export interface PoolTask {
  readonly owner: string
  readonly request: PoolRequest
  readonly source: ProgramSource
  readonly resolve: (answer: PoolAnswer) => void
  readonly reject: (error: unknown) => void
  readonly queuedAt: number
  /** Number of the job for the worker; a new one each time it is sent. */
  job: number
  thread?: PoolThread
  /** Stops watching the caller's signal. */
  unwatch?: () => void
  sentAt: number
  /** Estimated milliseconds charged to its owner before it runs. */
  booked: number
  isAlone: boolean
  /** Number of threads lost while running it because of other jobs. */
  lost: number
}

/** A thread with its tasks. */
export interface PoolThread {
  readonly worker: PoolWorker
  readonly load: ThreadLoad
  /** True for threads beyond the regular number: for owners without a thread, and for suspects. */
  readonly isSpare: boolean
  readonly tasks: Map<number, PoolTask>
  idleSince: number
}

/** Returns the time limit of one call into this job. */
export function limitMsOf(
  task: PoolTask | undefined,
  index: number,
  { batchTimeMs, eventTimeMs }: SandboxLimits,
): number {
  const request = task?.request
  const count = request?.kind === 'run' && index === wholeBatch ? request.request.count : 1
  return Math.min(batchTimeMs, eventTimeMs * count)
}

/** Returns the result of a job that ended the worker: the event that ran fails, those before and after it run again. */
export function blame({ request, sentAt }: PoolTask, index: number, error: StageError): StageError | BatchReply {
  if (request.kind === 'load') return { ...error, code: 'transform.load' }
  const isOneEvent = index >= 0
  const isGroup = index === answersOfGroup
  const all = Array.from({ length: request.request.count }, (_, place) => place)
  const failed = index === loading ? { ...error, code: 'transform.load' as const } : error
  return {
    bytes: new Uint8Array(0),
    parts: [],
    failures: isGroup ? [] : [{ index: isOneEvent ? index : wholeBatch, error: failed }],
    // One by one, so that the event that ends the worker is known.
    again: isGroup ? all : isOneEvent ? all.filter((place) => place !== index) : [],
    spentMs: performance.now() - sentAt,
    hostCalls: 0,
  }
}
