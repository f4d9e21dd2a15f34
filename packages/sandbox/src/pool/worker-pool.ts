import { FairQueue, InvariantError, type JsonObject, onAbort, SandboxBusyError, type StageError } from '@sluice/core'
import type { BatchExecutor, LoadedProgram, NumberedProgram } from '../batch-executor.ts'
import type { ProgramSource } from '../program.ts'
import type { BatchReply, BatchRequest } from '../vm/batch-request.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import { heavyMs, OwnerHistory } from './owner-history.ts'
import { blame, limitMsOf, type PoolAnswer, type PoolRequest, type PoolTask, type PoolThread } from './pool-task.ts'
import { PoolThreads } from './pool-threads.ts'
import { PoolWorker, type WorkerEnd, type WorkMessage } from './pool-worker.ts'
import { ThreadLoad } from './thread-load.ts'
import type { WorkerPoolOptions } from './threads-port.ts'

/** Interval at which waiting owners and idle threads are checked. */
const lookMs = 20
/**
 * Number of consecutive threads that may end before they start any job. If more do, the jobs sent to them are refused.
 */
const stillbornMax = 3
/** Number of threads that a task may lose because of others. After that it runs in a thread of its own. */
const lostTogetherMax = 1

/**
 * Sends jobs to worker threads, in fair turns between their owners, and replaces threads that end.
 *
 * The owner that has used the least running time gets the next free thread. ThreadLoad decides which jobs share a
 * thread. An owner that has no thread and has waited for 20 ms gets a spare one, so that a long job of one owner does
 * not delay others.
 */
export class WorkerPool implements BatchExecutor {
  readonly #options: WorkerPoolOptions
  readonly #threads: PoolThreads
  readonly #queue = new FairQueue<PoolTask>()
  readonly #history = new OwnerHistory()
  #looking: NodeJS.Timeout | undefined
  #lastJob = 0
  /** Consecutive threads that ended before they started any job. */
  #stillborn = 0
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#threads = new PoolThreads(options.workers, (isSpare) => this.#newThread(isSpare))
  }

  load({ id, owner, source }: NumberedProgram): Promise<LoadedProgram | StageError> {
    return this.#ask({ kind: 'load', program: id }, owner, source) as Promise<LoadedProgram | StageError>
  }

  /** @throws also SandboxBusyError when too many jobs wait. */
  run(
    { id, owner, source }: NumberedProgram,
    request: BatchRequest,
    credentials: JsonObject,
    signal: AbortSignal,
  ): Promise<BatchReply> {
    const environment = this.#options.environment()
    const job = { kind: 'run', program: id, request, credentials, environment } as const
    return this.#ask(job, owner, source, signal) as Promise<BatchReply>
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#looking)
    const sent = await this.#threads.close()
    const left = [...this.#queue.clear(), ...sent]
    for (const task of left) this.#settle(task, () => task.reject(new InvariantError('the sandbox is closed')))
  }

  #ask(request: PoolRequest, owner: string, source: ProgramSource, signal?: AbortSignal): Promise<PoolAnswer> {
    if (this.#closed) return Promise.reject(new InvariantError('the sandbox is closed'))
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.#threads.start()
    return new Promise((resolve, reject) => {
      const queuedAt = performance.now()
      const task: PoolTask = {
        owner,
        request,
        source,
        resolve,
        reject,
        queuedAt,
        job: 0,
        sentAt: 0,
        booked: 0,
        isAlone: false,
        lost: 0,
      }
      if (signal) task.unwatch = onAbort(signal, (reason) => this.#abort(task, reason))
      this.#queue.push(owner, task)
      this.#dispatch()
      this.#makeRoom()
    })
  }

  /** When too many jobs wait, rejects the newest job of the owner with the most. */
  #makeRoom(): void {
    if (this.#queue.length <= this.#options.queueLengthMax) return
    const dropped = this.#queue.dropFromLongest()
    const message = `${this.#queue.length} jobs are waiting for user code to run; try again later`
    if (dropped) this.#settle(dropped, () => dropped.reject(new SandboxBusyError(message)))
  }

  /**
   * Sends as many jobs as possible. When the owner whose turn it is finds no thread, the least busy one is reserved for
   * it and gets no jobs of other owners.
   */
  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#closed) if (!this.#sendNext()) break
    if (this.#queue.length > 0) this.#looking ??= setInterval(() => this.#look(), lookMs).unref()
  }

  #sendNext(): boolean {
    const now = performance.now()
    const reserved = new Set<PoolThread>()
    for (const owner of this.#queue.owners()) {
      const task = this.#queue.peek(owner)
      if (task === undefined) continue
      const isSuspect = this.#history.isSuspect(owner, task.request.program)
      task.isAlone = isSuspect || task.lost > lostTogetherMax
      const isHeavy = this.#history.isHeavy(owner, now)
      const thread = this.#threads.bestFor(task, isSuspect, isHeavy, reserved)
      if (thread) {
        this.#queue.take(owner)
        this.#send(task, thread, isHeavy)
        return true
      }
      const next = isSuspect || this.#threads.isHeldBy(owner) ? undefined : this.#threads.leastBusy(reserved)
      if (next) reserved.add(next)
    }
    return false
  }

  #send(task: PoolTask, thread: PoolThread, isHeavy: boolean): void {
    this.#lastJob = (this.#lastJob + 1) | 0 || 1
    task.job = this.#lastJob
    task.thread = thread
    task.sentAt = performance.now()
    task.booked = this.#history.averageMs(task.owner)
    this.#queue.charge(task.owner, task.booked)
    thread.tasks.set(task.job, task)
    thread.load.add(task, isHeavy)
    thread.worker.send({ ...task.request, job: task.job }, task.source)
  }

  /** Starts spare threads for waiting owners, and ends idle ones. */
  #look(): void {
    const now = performance.now()
    for (const owner of this.#queue.owners()) {
      const task = this.#queue.peek(owner)
      if (task && now - task.queuedAt >= lookMs && this.#needsSpare(task)) this.#threads.addSpare()
    }
    this.#threads.endIdleSpares(now)
    this.#dispatch()
    if (this.#queue.length > 0 || this.#threads.hasSpares) return
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  #needsSpare({ owner, request }: PoolTask): boolean {
    return this.#history.isSuspect(owner, request.program) || !this.#threads.isHeldBy(owner)
  }

  #newThread(isSpare: boolean): PoolThread {
    const { engine, crossing, limits, machinesPerWorker: machines, warm, asyncCalls, probes } = this.#options
    const tasks = new Map<number, PoolTask>()
    const worker: PoolWorker = new PoolWorker({
      engine,
      crossing,
      limits,
      machines,
      warm,
      asyncCalls,
      probes,
      limitMs: (job, index) => limitMsOf(tasks.get(job), index, limits),
      onMessage: (message) => this.#take(thread, message),
      onStall: () => this.#relieve(thread),
      onEnd: (end) => this.#replace(thread, end),
    })
    const thread: PoolThread = { worker, load: new ThreadLoad(machines), isSpare, tasks, idleSince: performance.now() }
    return thread
  }

  #take(thread: PoolThread, message: WorkMessage): void {
    const task = thread.tasks.get(message.job)
    if (task) this.#book(task, thread, message)
    this.#dispatch()
  }

  #book(task: PoolTask, thread: PoolThread, message: WorkMessage): void {
    const { owner, request } = task
    if (message.kind === 'unknown') {
      this.#sendAgain(task)
      return
    }
    this.#leave(task)
    const now = performance.now()
    // A load does not report its time. It started when the thread was free, so the time since then is an upper bound.
    const spentMs = message.kind === 'ran' ? message.reply.spentMs : now - Math.max(task.sentAt, thread.idleSince)
    thread.idleSince = now
    if (message.kind === 'ran') this.#history.took(owner, spentMs, now)
    this.#queue.charge(owner, spentMs - task.booked)
    this.#history.behaved(owner, request.program)
    if (message.kind === 'loaded') this.#settle(task, () => task.resolve(message.result))
    else if (message.kind === 'ran') this.#settle(task, () => task.resolve(message.reply))
    else {
      const what = message.kind === 'broken' ? message.message : 'a worker ended a batch that was not aborted'
      this.#settle(task, () => task.reject(new InvariantError(what)))
    }
  }

  /** Removes the task from its thread and puts it at the front of its owner's queue. */
  #sendAgain(task: PoolTask): void {
    this.#leave(task)
    this.#queue.charge(task.owner, -task.booked)
    this.#queue.unshift(task.owner, task)
  }

  #leave(task: PoolTask): void {
    task.thread?.tasks.delete(task.job)
    task.thread?.load.remove(task)
    delete task.thread
  }

  /** Called while user code blocks a thread. Moves jobs of other owners that have not started to other threads. */
  #relieve(thread: PoolThread): void {
    if (thread.worker.stalledMs <= heavyMs) return
    const [holder] = [...thread.tasks.values()].filter(({ job }) => thread.worker.isHeldBy(job))
    const waiting = [...thread.tasks.values()].filter(({ owner }) => owner !== holder?.owner)
    for (const task of waiting.reverse()) if (thread.worker.recall(task.job)) this.#sendAgain(task)
    this.#dispatch()
  }

  /**
   * Replaces a thread that ended. The job that caused this fails. Jobs that had not started run in other threads. Jobs
   * that had started run again: in a thread of their own if they have lost one before, or if the cause is uncertain.
   */
  #replace(thread: PoolThread, { job, index, error, isCertain }: WorkerEnd): void {
    const tasks = [...thread.tasks.values()]
    const begun = tasks.filter((task) => thread.worker.hasBegun(task.job))
    this.#stillborn = begun.length > 0 ? 0 : this.#stillborn + 1
    const guilty = begun.length === 1 ? begun[0] : isCertain ? thread.tasks.get(job) : undefined
    const now = performance.now()
    this.#threads.replace(thread, !thread.isSpare || this.#queue.length > 0)
    for (const task of tasks.reverse()) {
      if (this.#stillborn > stillbornMax) {
        this.#leave(task)
        this.#settle(task, () =>
          task.reject(new InvariantError(`the threads of the sandbox do not start: ${error.message}`)),
        )
        continue
      }
      if (task !== guilty) {
        if (begun.includes(task)) task.lost += isCertain ? 1 : lostTogetherMax + 1
        this.#sendAgain(task)
        continue
      }
      const spentMs = now - task.sentAt
      this.#leave(task)
      this.#history.endedThread(task.owner, task.request.program)
      this.#history.took(task.owner, spentMs, now)
      this.#queue.charge(task.owner, spentMs - task.booked)
      const whose = task.job === job ? index : wholeBatch
      this.#settle(task, () => task.resolve(blame(task, whose, error)))
    }
    this.#dispatch()
  }

  #abort(task: PoolTask, reason: unknown): void {
    if (task.thread) task.thread.worker.abort(task.job)
    else this.#queue.remove(task.owner, task)
    this.#settle(task, () => task.reject(reason))
  }

  #settle(task: PoolTask, answer: () => void): void {
    task.unwatch?.()
    answer()
  }
}
