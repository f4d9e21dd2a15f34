import type { Clock } from '@sluice/core'
import type { EventLog, LogBatch, LogPosition, Progress } from './event-log.ts'
import { around, type Telemetry } from './telemetry.ts'

/** How many batches a consumer takes at a time: enough to fill a sandbox call, few enough to hold in memory. */
const readBatchesMax = 10
/** A consumer lets go of what everybody has passed once in so many commits. */
const commitsPerTrim = 50
/** Waits after a failed read or commit double from the first to the last of these. */
const retryFirstMs = 100
const retryLastMs = 30_000

/** What is committed together with a cursor. */
export type Made = Omit<Progress, 'workspaceId' | 'consumer' | 'position'>

export interface ConsumerOptions {
  readonly workspaceId: string
  readonly name: string
  readonly log: EventLog
  readonly clock: Clock
  /** How many batches the log keeps behind everybody. */
  readonly keepBatches: number
  /**
   * What the consumer does with the next batches.
   * @returns with how many it was done, one at least: what was made of them is to be committed before the others come.
   */
  process(batches: readonly LogBatch[], signal: AbortSignal): Promise<number>
  /** Gives what was made of all batches since the last call, and forgets it: to be committed. */
  take(): Made
  /** What was taken is committed. */
  committed?(made: Made): void
  /** Forgets what was made of all batches since the last commit: they are done again. */
  discard(): void
  /** How many reads share a commit when more is waiting; default 1. */
  readonly readsPerCommit?: number
  /** Work beside the log that is not part of a commit: done after a commit or while nothing waits, every so often. */
  readonly upkeep?: { readonly everyMs: number; run(): Promise<void> }
  /** Told of commits, as those of a destination when it is one. */
  readonly telemetry?: Telemetry
  readonly destinationId?: string
  /** The store failed; the consumer tries again by itself. */
  onError(error: unknown): void
}

/**
 * Reads the log of one workspace in order with a durable cursor of its own, so that it holds nobody else back.
 * What it processed is committed together with its cursor: after a crash it starts again behind the last commit.
 */
export class Consumer {
  readonly #options: ConsumerOptions
  readonly #stopping = new AbortController()
  readonly #waiters = new Set<{ readonly position: LogPosition; readonly resolve: (reached: boolean) => void }>()
  #cursor: LogPosition
  #wake: () => void = () => {}
  #awake = false
  #stopRequested = false
  #running: Promise<void> | undefined
  #stepping: Promise<unknown> = Promise.resolve()
  #upkeptAt: number

  constructor(cursor: LogPosition, options: ConsumerOptions) {
    this.#cursor = cursor
    this.#options = options
    this.#upkeptAt = options.clock.now()
  }

  /** The last batch that is committed. */
  get cursor(): LogPosition {
    return this.#cursor
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends at the next commit, or at once and without one when `deadlineMs` have passed; what is left is done after a restart. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopRequested = true
    this.#wake()
    const timer = setTimeout(() => this.#stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
    await this.#running
    clearTimeout(timer)
    for (const { resolve } of this.#waiters) resolve(false)
    this.#waiters.clear()
  }

  /** Resolves with true once everything up to `position` is committed, with false when the consumer was stopped before. */
  reached(position: LogPosition): Promise<boolean> {
    if (this.#cursor >= position) return Promise.resolve(true)
    if (this.#stopRequested) return Promise.resolve(false)
    return new Promise((resolve) => this.#waiters.add({ position, resolve }))
  }

  /** Resolves when the batches it is at are committed, or are to be done again. */
  async stepped(): Promise<void> {
    await this.#stepping.catch(() => {})
  }

  async #run(): Promise<void> {
    const { workspaceId, log, clock, onError } = this.#options
    const unwatch = log.watch(workspaceId, () => {
      this.#awake = true
      this.#wake()
    })
    let failures = 0
    let commits = 0
    while (!this.#stopRequested) {
      try {
        this.#awake = false
        const step = this.#step()
        this.#stepping = step
        if (await step) {
          commits += 1
          if (commits % commitsPerTrim === 0) await log.trim(workspaceId, this.#options.keepBatches)
        } else await this.#untilWoken()
        await this.#upkeep()
        failures = 0
      } catch (error) {
        // What was made of batches that are done again would count twice.
        this.#options.discard()
        if (this.#stopping.signal.aborted) break
        onError(error)
        failures += 1
        await clock.sleep(Math.min(retryLastMs, retryFirstMs * 2 ** (failures - 1)), this.#stopping.signal)
      }
    }
    unwatch()
  }

  /** @returns false when there was nothing to read. */
  async #step(): Promise<boolean> {
    const { workspaceId, name: consumer, log, process, take, readsPerCommit = 1 } = this.#options
    let position = this.#cursor
    let oldest: LogBatch | undefined
    let events = 0
    for (let reads = 0; reads < readsPerCommit; reads += 1) {
      const batches = await log.read(workspaceId, position, readBatchesMax)
      if (batches.length === 0) break
      oldest ??= batches[0]
      const done = await process(batches, this.#stopping.signal)
      for (const batch of batches.slice(0, done)) events += batch.events.length
      this.#stopping.signal.throwIfAborted()
      position = batches[done - 1]?.position ?? position
      if (done < batches.length || batches.length < readBatchesMax || this.#stopRequested) break
    }
    if (position === this.#cursor) return false
    const made = take()
    await this.#commit({ workspaceId, consumer, position, ...made }, events)
    this.#options.committed?.(made)
    const { telemetry, clock } = this.#options
    telemetry?.caughtUp({ ...this.#labels(), lagMs: clock.now() - (oldest?.receivedAt ?? clock.now()) })
    return true
  }

  async #upkeep(): Promise<void> {
    const { upkeep, clock } = this.#options
    if (upkeep === undefined || clock.now() - this.#upkeptAt < upkeep.everyMs) return
    this.#upkeptAt = clock.now()
    await upkeep.run()
  }

  /** What was processed is not processed again because a commit failed: the commit alone is repeated. */
  async #commit(progress: Progress, inputs: number): Promise<void> {
    const { log, clock, onError, telemetry } = this.#options
    const work = { kind: 'commit', ...this.#labels(), inputs } as const
    for (let failures = 0; ; failures += 1) {
      try {
        await around(telemetry, work, () => log.commit(progress))
        break
      } catch (error) {
        onError(error)
        await clock.sleep(Math.min(retryLastMs, retryFirstMs * 2 ** failures), this.#stopping.signal)
        this.#stopping.signal.throwIfAborted()
      }
    }
    this.#cursor = progress.position
    for (const waiter of this.#waiters) {
      if (waiter.position > this.#cursor) continue
      this.#waiters.delete(waiter)
      waiter.resolve(true)
    }
  }

  #labels() {
    const { workspaceId, destinationId } = this.#options
    return { workspaceId, ...(destinationId === undefined ? {} : { destinationId }) }
  }

  async #untilWoken(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
      if (this.#awake || this.#stopRequested) resolve()
    })
    const { upkeep, clock } = this.#options
    if (upkeep === undefined) return woken
    const waiting = new AbortController()
    const due = this.#upkeptAt + upkeep.everyMs - clock.now()
    await Promise.race([woken, clock.sleep(Math.max(1, due), waiting.signal).catch(() => {})])
    waiting.abort()
  }
}
