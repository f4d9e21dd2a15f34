import { heavyMs } from './owner-history.ts'
import type { PoolTask, PoolThread } from './pool-task.ts'

/**
 * Threads beyond `workers`: one for an owner that waits while other owners' code holds all threads, one for suspects.
 * They start when needed. An owner that finds no free spare waits for a job to end, at most `batchTimeMs`.
 */
const sparesMax = 2
/** A spare thread without work ends after this time. */
const spareIdleMs = 30_000

/** The threads of a pool: `workers` regular ones, and spares that start when needed. */
export class PoolThreads {
  readonly #workers: number
  readonly #create: (isSpare: boolean) => PoolThread
  readonly #threads: PoolThread[] = []

  constructor(workers: number, create: (isSpare: boolean) => PoolThread) {
    this.#workers = workers
    this.#create = create
  }

  /**
   * Starts the regular threads. Called with the first job, because many servers never run user code and a thread takes
   * 0.2 s of a core to start.
   */
  start(): void {
    if (this.#threads.length > 0) return
    while (this.#threads.length < this.#workers) this.#threads.push(this.#create(false))
  }

  get hasSpares(): boolean {
    return this.#threads.some(({ isSpare }) => isSpare)
  }

  /**
   * Returns the thread with the fewest jobs that may take this one.
   *
   * @param reserved threads that wait for other owners.
   */
  bestFor(
    task: PoolTask,
    isSuspect: boolean,
    isHeavy: boolean,
    reserved: ReadonlySet<PoolThread>,
  ): PoolThread | undefined {
    let best: PoolThread | undefined
    const held = this.#threads.filter(({ load }) => load.isHeldBy(task.owner)).length
    // The other spare is for owners without a thread.
    if (isSuspect && this.#threads.some(({ load, isSpare }) => isSpare && load.isAlone)) return undefined
    for (const thread of this.#threads) {
      const { worker, load, isSpare } = thread
      if (best && best.load.jobs <= load.jobs) continue
      if (reserved.has(thread) || !worker.hasPlace) continue
      // Suspects must not use the shared threads.
      if (isSuspect && !isSpare) continue
      // Even with spares, an owner gets no more threads than the regular number.
      if (!isSuspect && held >= this.#workers && !load.isHeldBy(task.owner)) continue
      const state = { isHeavy, isStalled: worker.stalledMs > heavyMs, isWaiting: worker.isWaiting }
      if (load.mayTake(task, state)) best = thread
    }
    return best
  }

  /** Returns whether jobs of the owner are in any thread. */
  isHeldBy(owner: string): boolean {
    return this.#threads.some(({ load }) => load.isHeldBy(owner))
  }

  /** Returns the regular thread with the fewest jobs. */
  leastBusy(reserved: ReadonlySet<PoolThread>): PoolThread | undefined {
    let best: PoolThread | undefined
    for (const thread of this.#threads)
      if (!thread.isSpare && !reserved.has(thread) && !(best && best.load.jobs <= thread.load.jobs)) best = thread
    return best
  }

  /** Starts a spare thread, unless there are enough or one has no work. */
  addSpare(): void {
    const spares = this.#threads.filter(({ isSpare }) => isSpare)
    if (spares.length < sparesMax && spares.every(({ tasks }) => tasks.size > 0)) this.#threads.push(this.#create(true))
  }

  /** Ends spare threads that have been without work for a while. */
  endIdleSpares(now: number): void {
    const idle = this.#threads.filter(({ isSpare, tasks }) => isSpare && tasks.size === 0)
    for (const thread of idle) {
      if (now - thread.idleSince <= spareIdleMs) continue
      this.#remove(thread)
      void thread.worker.close()
    }
  }

  /** Removes a thread that ended. @param isNeeded whether to start another one for it. */
  replace(thread: PoolThread, isNeeded: boolean): void {
    this.#remove(thread)
    if (isNeeded) this.#threads.push(this.#create(thread.isSpare))
  }

  #remove(thread: PoolThread): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1)
  }

  /** Ends all threads. @returns the tasks they had. */
  async close(): Promise<readonly PoolTask[]> {
    await Promise.all(this.#threads.map(({ worker }) => worker.close()))
    return this.#threads.flatMap(({ tasks }) => [...tasks.values()])
  }
}
