import { InvariantError, type JsonObject, type StageError } from '@sluice/core'
import type { BatchExecutor, LoadedProgram, NumberedProgram } from '../batch-executor.ts'
import type { AsyncHostCall } from '../guest-api.ts'
import type { ProbeMemory } from '../probes.ts'
import type { ProgramSource } from '../program.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchReply, BatchRequest } from '../vm/batch-message.ts'
import { answersOfGroup } from '../vm/batch-run.ts'
import type { EngineBuild } from '../vm/engine.ts'
import { wholeBatch } from '../vm/guest-prelude.ts'
import type { WarmPrograms } from '../vm/machine-slot.ts'
import { AbortGroups } from './abort-groups.ts'
import { PoolWorker, type WorkerEnd } from './pool-worker.ts'
import { loading } from './progress.ts'
import type { Job, JobMessage, RunAmbience, RunJob } from './worker-messages.ts'

export interface WorkerPoolOptions {
  readonly build: EngineBuild
  readonly limits: SandboxLimits
  readonly asyncCalls: Readonly<Record<string, AsyncHostCall>>
  readonly workers: number
  /** Time and randomness for the next run. */
  readonly ambience: () => RunAmbience
  readonly machinesPerWorker: number
  readonly warm: WarmPrograms
  readonly queueLengthMax: number
  readonly probes?: ProbeMemory
}

/** The sandbox has as much work as it may hold; nothing was done, and it may be asked again later. */
export class SandboxBusyError extends Error {
  override readonly name = 'SandboxBusyError'
}

/** What is asked of the pool. */
type Request = Omit<Extract<Job, { kind: 'load' }>, 'job'> | Omit<RunJob, 'job'>

interface Task {
  readonly job: number
  readonly request: Request
  readonly source: ProgramSource
  readonly resolve: (answer: LoadedProgram | StageError | BatchReply) => void
  readonly reject: (error: unknown) => void
  worker?: PoolWorker
  startedAt: number
  /** Workers that ended under it, by the doing of others. */
  lost: number
}

/** A thread is sent as many jobs again as it has machines, so that it does not wait for its next one. */
const sentPerMachine = 2
/** How often a batch is sent again because another one ended its worker. */
const lostMax = 10

/** Hands jobs to worker threads, and replaces those that end. */
export class WorkerPool implements BatchExecutor {
  readonly #options: WorkerPoolOptions
  readonly #workers: PoolWorker[] = []
  readonly #tasks = new Map<number, Task>()
  readonly #queue: Task[] = []
  readonly #aborts = new AbortGroups<Task>((task, reason) => {
    task.worker?.abort(task.job)
    this.#reject(task, reason)
  })
  #lastJob = 0
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    while (this.#workers.length < options.workers) this.#workers.push(this.#newWorker())
  }

  load({ id, source }: NumberedProgram): Promise<LoadedProgram | StageError> {
    return this.#ask({ kind: 'load', program: id }, source) as Promise<LoadedProgram | StageError>
  }

  /** @throws also SandboxBusyError when too many jobs wait. */
  run(
    { id, source }: NumberedProgram,
    request: BatchRequest,
    credentials: JsonObject,
    signal: AbortSignal,
  ): Promise<BatchReply> {
    const ambience = this.#options.ambience()
    return this.#ask(
      { kind: 'run', program: id, request, credentials, ambience },
      source,
      signal,
    ) as Promise<BatchReply>
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#workers.map((worker) => worker.close()))
    for (const task of [...this.#tasks.values()]) this.#reject(task, new InvariantError('the sandbox is closed'))
    this.#queue.length = 0
  }

  #ask(
    request: Request,
    source: ProgramSource,
    signal?: AbortSignal,
  ): Promise<LoadedProgram | StageError | BatchReply> {
    if (this.#closed) return Promise.reject(new InvariantError('the sandbox is closed'))
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#queue.length >= this.#options.queueLengthMax)
      return Promise.reject(
        new SandboxBusyError(`${this.#queue.length} jobs are waiting for user code to run; ask again later`),
      )
    return new Promise((resolve, reject) => {
      this.#lastJob = (this.#lastJob + 1) | 0
      const task: Task = { job: this.#lastJob, request, source, startedAt: 0, lost: 0, resolve, reject }
      if (signal) this.#aborts.add(signal, task)
      this.#tasks.set(task.job, task)
      this.#queue.push(task)
      this.#dispatch()
    })
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const worker = this.#leastBusy()
      if (worker.outstanding >= this.#options.machinesPerWorker * sentPerMachine) return
      const task = this.#queue.shift()
      if (task === undefined || !this.#tasks.has(task.job)) continue
      task.worker = worker
      task.startedAt = performance.now()
      worker.send({ ...task.request, job: task.job }, task.source)
    }
  }

  #leastBusy(): PoolWorker {
    return this.#workers.reduce((best, worker) => (worker.outstanding < best.outstanding ? worker : best))
  }

  #newWorker(): PoolWorker {
    const { build, limits, machinesPerWorker: machines, warm, asyncCalls, probes } = this.#options
    const worker: PoolWorker = new PoolWorker({
      build,
      limits,
      machines,
      warm,
      asyncCalls,
      ...(probes && { probes }),
      limitMs: (job, index) => this.#limitMs(job, index),
      onMessage: (message) => this.#take(message),
      onEnd: (end) => this.#replace(worker, end),
    })
    return worker
  }

  #limitMs(job: number, index: number): number {
    const { eventTimeMs, batchTimeMs } = this.#options.limits
    const request = this.#tasks.get(job)?.request
    const count = request?.kind === 'run' && index === wholeBatch ? request.request.count : 1
    return Math.min(batchTimeMs, eventTimeMs * count)
  }

  #take(message: JobMessage): void {
    const task = this.#tasks.get(message.job)
    if (task) this.#book(task, message)
    this.#dispatch()
  }

  #book(task: Task, message: JobMessage): void {
    if (message.kind === 'loaded') this.#resolve(task, message.result)
    else if (message.kind === 'ran') this.#resolve(task, message.reply)
    else if (message.kind === 'broken') this.#reject(task, new InvariantError(message.message))
    else if (message.kind === 'aborted')
      this.#reject(task, new InvariantError('a batch was given up that nobody gave up'))
    else this.#queue.unshift(task)
  }

  /** The job that ended a worker pays for it; others on the same worker are done again on another one. */
  #replace(ended: PoolWorker, { job, index, error }: WorkerEnd): void {
    const tasks = [...this.#tasks.values()].filter(({ worker }) => worker === ended)
    this.#workers[this.#workers.indexOf(ended)] = this.#newWorker()
    for (const task of tasks.reverse()) {
      delete task.worker
      task.lost += 1
      if (task.job === job) this.#resolve(task, blame(task, index, error))
      else if (task.lost > lostMax) this.#resolve(task, blame(task, wholeBatch, error))
      else this.#queue.unshift(task)
    }
    this.#dispatch()
  }

  #resolve(task: Task, answer: LoadedProgram | StageError | BatchReply): void {
    this.#tasks.delete(task.job)
    this.#aborts.remove(task)
    task.resolve(answer)
  }

  #reject(task: Task, error: unknown): void {
    this.#tasks.delete(task.job)
    this.#aborts.remove(task)
    task.reject(error)
  }
}

/** What a job comes to whose code ended the worker: the event that ran fails, those before and after it run again. */
function blame({ request, startedAt }: Task, index: number, error: StageError): StageError | BatchReply {
  if (request.kind === 'load') return { ...error, code: 'transform.load' }
  const isOneEvent = index >= 0
  const isGroup = index === answersOfGroup
  const all = Array.from({ length: request.request.count }, (_, place) => place)
  const failed = index === loading ? { ...error, code: 'transform.load' as const } : error
  return {
    bytes: new Uint8Array(0),
    parts: [],
    failures: isGroup ? [] : [{ index: isOneEvent ? index : wholeBatch, error: failed }],
    // One by one, whoever ends the worker is known.
    again: isGroup ? all : isOneEvent ? all.filter((place) => place !== index) : [],
    spentMs: performance.now() - startedAt,
    hostCalls: 0,
  }
}
