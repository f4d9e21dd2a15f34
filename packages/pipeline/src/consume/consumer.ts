import type { Clock } from '@sluice/core'
import type { MainTurns } from '../flow/main-turns.ts'
import type { EventLog, LogBatch, LogPosition, Progress } from '../ports/event-log.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'

/** How many batches a consumer takes at a time: enough to fill a sandbox call, few enough to hold in memory. */
export const readBatchesMax = 10
/** The same in JSON text: what is read is parsed in one go, and others wait meanwhile. */
const readBytesMax = 512 * 1024
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
  /** Of this thread, in which what is read is parsed. */
  readonly turns: MainTurns
  /** Batches to read next; default `readBatchesMax`. */
  readMax?(): number
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
  /**
   * How long what was made may wait for its commit, and for how many events, so that more of them share it. Left out,
   * every read is committed. Who waits for the consumer is not kept waiting.
   */
  readonly pace?: { readonly ms: number; readonly eventsMax: number }
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
  readonly #waiters = new Set<Waiter>()
  #cursor: LogPosition
  /** The last batch that was processed; what was made of those behind the cursor is still to be committed. */
  #position: LogPosition
  #uncommittedEvents = 0
  #uncommittedSince = 0
  #uncommittedReceivedAt = 0
  #wake: () => void = () => {}
  #awake = false
  #stopRequested = false
  #running: Promise<void> | undefined
  #stepping: Promise<unknown> = Promise.resolve()
  #upkeptAt: number

  constructor(cursor: LogPosition, options: ConsumerOptions) {
    this.#cursor = cursor
    this.#position = cursor
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
    this.#tell(() => true, false)
  }

  /** Resolves with true once everything up to `position` is committed, with false when the consumer was stopped before. */
  reached(position: LogPosition): Promise<boolean> {
    return this.#wait(position, false)
  }

  /** Resolves when the batches it is at are committed, or are to be done again. */
  async stepped(): Promise<void> {
    await this.#stepping.catch(() => {})
    await this.#wait(this.#position, true)
  }

  #wait(position: LogPosition, orDiscarded: boolean): Promise<boolean> {
    if (this.#cursor >= position) return Promise.resolve(true)
    if (this.#stopRequested) return Promise.resolve(false)
    return new Promise((resolve) => {
      this.#waiters.add({ position, orDiscarded, resolve })
      this.#rouse()
    })
  }

  #rouse(): void {
    this.#awake = true
    this.#wake()
  }

  async #run(): Promise<void> {
    const { workspaceId, log, clock, onError } = this.#options
    const unwatch = log.watch(workspaceId, () => this.#rouse())
    let failures = 0
    while (!this.#stopRequested || this.#position > this.#cursor) {
      try {
        this.#awake = false
        const step = this.#step()
        this.#stepping = step
        if (!(await step)) await this.#untilWoken()
        await this.#upkeep().catch(onError)
        failures = 0
      } catch (error) {
        this.#discard()
        if (this.#stopping.signal.aborted) break
        onError(error)
        failures += 1
        await clock.sleep(Math.min(retryLastMs, retryFirstMs * 2 ** (failures - 1)), this.#stopping.signal)
      }
    }
    unwatch()
  }

  /** What was made of batches that are done again would count twice. */
  #discard(): void {
    this.#options.discard()
    this.#position = this.#cursor
    this.#uncommittedEvents = 0
    this.#tell(({ orDiscarded }) => orDiscarded, false)
  }

  /** @returns false when there was nothing to do. */
  async #step(): Promise<boolean> {
    const read = this.#stopRequested ? undefined : await this.#read()
    if (this.#position === this.#cursor || !this.#isCommitDue(read?.isCut ?? false)) return read !== undefined
    const { workspaceId, name: consumer, take, committed, telemetry, clock } = this.#options
    const made = take()
    const lagMs = clock.now() - this.#uncommittedReceivedAt
    await this.#commit({ workspaceId, consumer, position: this.#position, ...made }, this.#uncommittedEvents)
    committed?.(made)
    telemetry?.caughtUp({ ...this.#labels(), lagMs })
    return true
  }

  /** Processes the next batches. @returns undefined when there was nothing to read. */
  async #read(): Promise<{ readonly isCut: boolean } | undefined> {
    const { workspaceId, log, clock, turns, process, readMax } = this.#options
    const batchesMax = readMax?.() ?? readBatchesMax
    const batches = await turns.run(workspaceId, () => log.read(workspaceId, this.#position, batchesMax, readBytesMax))
    if (batches.length === 0) return undefined
    const done = await process(batches, this.#stopping.signal)
    this.#stopping.signal.throwIfAborted()
    if (this.#uncommittedEvents === 0) {
      this.#uncommittedSince = clock.now()
      this.#uncommittedReceivedAt = batches[0]?.receivedAt ?? clock.now()
    }
    for (const { position, events } of batches.slice(0, done)) {
      this.#position = position
      this.#uncommittedEvents += events.length
    }
    return { isCut: done < batches.length }
  }

  #isCommitDue(isCut: boolean): boolean {
    const { pace } = this.#options
    if (pace === undefined || isCut || this.#stopRequested) return true
    if (this.#uncommittedEvents >= pace.eventsMax || this.#untilCommit() <= 0) return true
    for (const { position } of this.#waiters) if (position <= this.#position) return true
    return false
  }

  /** Milliseconds. */
  #untilCommit(): number {
    const { pace, clock } = this.#options
    if (pace === undefined || this.#position === this.#cursor) return Number.POSITIVE_INFINITY
    // A clock that was set back keeps nothing waiting longer.
    return Math.min(pace.ms, this.#uncommittedSince + pace.ms - clock.now())
  }

  async #upkeep(): Promise<void> {
    const { upkeep, clock } = this.#options
    if (upkeep === undefined || Math.abs(clock.now() - this.#upkeptAt) < upkeep.everyMs) return
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
    this.#uncommittedEvents = 0
    this.#tell(({ position }) => position <= this.#cursor, true)
  }

  #tell(isMeant: (waiter: Waiter) => boolean, reached: boolean): void {
    for (const waiter of this.#waiters) {
      if (!isMeant(waiter)) continue
      this.#waiters.delete(waiter)
      waiter.resolve(reached)
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
    // The clock may have been set back.
    const untilUpkeep = upkeep
      ? Math.min(upkeep.everyMs, this.#upkeptAt + upkeep.everyMs - clock.now())
      : Number.POSITIVE_INFINITY
    const due = Math.min(untilUpkeep, this.#untilCommit())
    if (due === Number.POSITIVE_INFINITY) return woken
    const waiting = new AbortController()
    await Promise.race([woken, clock.sleep(Math.max(1, due), waiting.signal).catch(() => {})])
    waiting.abort()
  }
}

interface Waiter {
  readonly position: LogPosition
  /** Whether it is enough that the batches are to be done again. */
  readonly orDiscarded: boolean
  resolve(reached: boolean): void
}
