import { type Clock, doublingMs } from '@sluice/core'
import type { MainTurns } from '../flow/main-turns.ts'
import { ownBackoff, untilDone } from '../flow/until-done.ts'
import { type ConsumerLog, type LogBatch, type Progress, readBatchesMax } from '../ports/event-log.ts'
import type { LogPosition } from '../ports/log-position.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'

/** Bytes of JSON text read at a time: they are parsed in one go, and other workspaces wait meanwhile. */
const readBytesMax = 128 * 1024

/** Milliseconds after which what has ended of a read is committed, though the rest is not done. */
const withinReadMs = 1_000

/** Results that are committed together with a cursor. */
export type Results = Omit<Progress, 'workspaceId' | 'consumer' | 'position'>

/** What a consumer does with the batches it reads. */
export interface ConsumerWork {
  /** Returns how many batches to read next. Default `readBatchesMax`. */
  readMax?(): number
  /**
   * Processes batches.
   * @param eventsDone how many events of the first batch are done already, and are left out.
   * @returns how many batches were processed, at least one: the others are read again. Undefined where `recordSoFar` says it.
   */
  process(batches: readonly LogBatch[], signal: AbortSignal, eventsDone: number): Promise<number | undefined>
  /**
   * Records what has ended so far of the batches in process, in their order, to be taken next. Left out, a read is
   * committed as a whole.
   * @returns how far that is, behind what it said before. What is then not done and not under way is read again.
   */
  recordSoFar?(): DoneSoFar
  /** Whether batches are still being processed: then `process` may be called with the next ones. */
  readonly isUnderWay?: boolean
  /** Resolves when nothing is being processed any more. Rejects as `process` does. */
  ended?(): Promise<void>
  /**
   * How long results may wait for their commit, and for how many events, so that several batches share it. Left out,
   * every read is committed. When a caller waits for the consumer, the commit is made immediately.
   */
  readonly pace?: { readonly ms: number; readonly eventsMax: number } | undefined
  /** Whether nothing is read for now. To be followed by `wake` when it changes. */
  readonly isPaused?: boolean
  /** Whether the results are as many as one commit should hold: they are committed before more is read. */
  readonly isFull?: boolean
  /**
   * Completes the results before they are taken, as a warehouse does that loads many events at once. When it rejects, all
   * results since the last commit are discarded.
   * @param isAwaited whether a caller waits for this consumer, or it is stopping: then a failure is reported at once.
   */
  flush?(signal: AbortSignal, isAwaited: () => boolean): Promise<void>
  /** Returns the results since the last call, to be committed, and forgets them. */
  take(): Results
  /** Called when taken results are committed. @param position of the last batch they include. */
  committed?(results: Results, position: LogPosition): void
  /** Forgets the results since the last commit: their batches are processed again. */
  discard(): void
}

/** How much of what is processed has ended: its first batches, and the first events of the batch behind them. */
export interface DoneSoFar {
  readonly batches: number
  readonly events: number
}

export interface ConsumerOptions {
  readonly workspaceId: string
  readonly log: ConsumerLog
  readonly clock: Clock
  /** Turns on this thread, in which batches are parsed. */
  readonly turns: MainTurns
  readonly work: ConsumerWork
  /** Work beside the log that is not part of a commit: done after a commit or while nothing waits, every so often. */
  readonly upkeep?: { readonly everyMs: number; run(): Promise<void> }
  readonly telemetry?: Telemetry
  /** The destination that telemetry reports. */
  readonly destinationId?: string
  /** The store failed; the consumer tries again by itself. */
  onError(error: unknown): void
}

/**
 * Reads the log of one workspace in order with a durable cursor of its own, so that a slow consumer delays no other.
 * Results are committed together with the cursor: after a crash, a consumer continues behind its last commit.
 */
export class Consumer {
  readonly #options: ConsumerOptions
  readonly #stopping = new AbortController()
  readonly #waiters = new Set<Waiter>()
  #cursor: LogPosition
  /** Committed events of the batch behind the cursor. */
  #cursorEvents: number
  /** The last batch that was processed; results of batches behind the cursor are still to be committed. */
  #position: LogPosition
  /** Processed events of the batch behind `#position`. */
  #positionEvents: number
  /** Batches behind `#position` that are being processed, in order. */
  #ahead: LogBatch[] = []
  #uncommittedEvents = 0
  #uncommittedSince = 0
  #uncommittedReceivedAt = 0
  #wake: () => void = () => {}
  #awake = false
  #stopRequested = false
  #running: Promise<void> | undefined
  #stepping: Promise<unknown> = Promise.resolve()
  #upkeptAt: number

  constructor(options: ConsumerOptions) {
    const { cursor, eventsDone } = options.log
    this.#cursor = cursor
    this.#position = cursor
    this.#cursorEvents = eventsDone
    this.#positionEvents = eventsDone
    this.#options = options
    this.#upkeptAt = options.clock.now()
  }

  /** The last batch that is committed. */
  get cursor(): LogPosition {
    return this.#cursor
  }

  /** Returns the age of the oldest batch that is not committed, in milliseconds; 0 when there is none. */
  async lagMs(): Promise<number> {
    const { log, clock } = this.#options
    const oldest = await log.oldestBehind(this.#cursor)
    return oldest === undefined ? 0 : Math.max(0, clock.now() - oldest)
  }

  /** Whether there are batches that it has not committed. */
  async isBehind(): Promise<boolean> {
    return (await this.#options.log.oldestBehind(this.#cursor)) !== undefined
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Looks again whether it is paused. */
  wake(): void {
    this.#rouse()
  }

  /** Ends at the next commit, or without one after `deadlineMs`; the rest is processed after a restart. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopRequested = true
    this.#wake()
    const timer = setTimeout(() => this.#stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
    await this.#running
    clearTimeout(timer)
    this.#release(() => true, false)
  }

  /** Resolves with true once everything up to `position` is committed, with false when the consumer was stopped before. */
  reached(position: LogPosition): Promise<boolean> {
    return this.#wait(position, false)
  }

  /** Resolves when the batches it processes now are committed, or are to be processed again. */
  async stepped(): Promise<void> {
    await this.#stepping.catch(() => {})
    await this.#wait(this.#readPosition, true)
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
    const { log, clock, onError } = this.#options
    const unwatch = log.watch(() => this.#rouse())
    let failures = 0
    while (!this.#stopRequested || this.#hasUncommitted || this.#isUnderWay) {
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
        await clock.sleep(doublingMs(failures, ownBackoff), this.#stopping.signal)
      }
    }
    unwatch()
  }

  /** Batches that are processed again would count twice. */
  #discard(): void {
    this.#options.work.discard()
    this.#position = this.#cursor
    this.#positionEvents = this.#cursorEvents
    this.#ahead = []
    this.#uncommittedEvents = 0
    this.#release(({ orDiscarded }) => orDiscarded, false)
  }

  /** @returns false when there was nothing to do. */
  async #step(): Promise<boolean> {
    const { work } = this.#options
    // What is collected for a load is not loaded while the destination is paused: it is read again.
    if (work.isPaused && work.pace !== undefined && this.#hasUncommitted) this.#discard()
    const hasRead = this.#mayRead && (await this.#read())
    const hasWaited = !hasRead && this.#isUnderWay
    if (hasWaited) await this.#processed(() => this.#endedOrWoken())
    if (!this.#hasUncommitted || !this.#isCommitDue()) return hasRead || hasWaited
    await this.#commitResults()
    return true
  }

  get #mayRead(): boolean {
    return !this.#stopRequested && !this.#options.work.isPaused
  }

  get #isUnderWay(): boolean {
    return this.#options.work.isUnderWay ?? false
  }

  /** The last batch that was read. */
  get #readPosition(): LogPosition {
    return this.#ahead.at(-1)?.position ?? this.#position
  }

  get #hasUncommitted(): boolean {
    return this.#position > this.#cursor || this.#positionEvents > this.#cursorEvents
  }

  async #commitResults(): Promise<void> {
    const { work, telemetry, clock } = this.#options
    await work.flush?.(this.#stopping.signal, () => this.#isAwaited)
    const results = work.take()
    const lagMs = clock.now() - this.#uncommittedReceivedAt
    await this.#commit(results)
    work.committed?.(results, this.#cursor)
    telemetry?.caughtUp({ ...this.#labels(), lagMs })
  }

  /** Processes the next batches. @returns false when there was nothing to read. */
  async #read(): Promise<boolean> {
    const { work } = this.#options
    const batches = await this.#next()
    if (batches.length === 0) return false
    const eventsDone = this.#ahead.length === 0 ? this.#positionEvents : 0
    this.#ahead.push(...batches)
    await this.#processed(() => work.process(batches, this.#stopping.signal, eventsDone))
    return true
  }

  async #next(): Promise<readonly LogBatch[]> {
    const { workspaceId, log, turns, work, onError } = this.#options
    const batchesMax = work.readMax?.() ?? readBatchesMax
    try {
      return await turns.run(workspaceId, () => log.read(this.#readPosition, batchesMax, readBytesMax))
    } catch (error) {
      // What is being sent is not sent again because the store failed.
      if (!this.#isUnderWay) throw error
      onError(error)
      return []
    }
  }

  /** Waits for some processing, and notes what is done. */
  async #processed(processing: () => Promise<number | undefined>): Promise<void> {
    let done: number | undefined
    const over = new AbortController()
    const committing = Promise.allSettled([this.#commitMeanwhile(over.signal)])
    try {
      done = await processing()
    } finally {
      // With a reason of its own, no error with a stack is made for each read.
      over.abort(null)
      await committing
    }
    this.#stopping.signal.throwIfAborted()
    for (const end of await committing) if (end.status === 'rejected') throw end.reason
    this.#advance(done === undefined ? this.#recordSoFar() : { batches: done, events: 0 })
  }

  /** Resolves when nothing is under way any more, or when there may be more to read. */
  async #endedOrWoken(): Promise<undefined> {
    const ended = this.#options.work.ended?.()
    await (this.#mayRead ? Promise.race([ended, this.#woken()]) : ended)
  }

  #recordSoFar(): DoneSoFar {
    return this.#options.work.recordSoFar?.() ?? { batches: this.#ahead.length, events: 0 }
  }

  /**
   * Commits what has ended every so often while the rest is still being processed: a destination that is slow,
   * or waits for a retry, must not keep everything before it from being recorded. A quick read is committed once, at its end.
   */
  async #commitMeanwhile(over: AbortSignal): Promise<void> {
    const { work, clock } = this.#options
    if (work.recordSoFar === undefined || work.pace !== undefined) return
    for (;;) {
      await clock.sleep(withinReadMs, over)
      if (over.aborted) return
      this.#advance(work.recordSoFar())
      if (this.#hasUncommitted) await this.#commitResults()
    }
  }

  /** Notes how much of what was read is done. */
  #advance({ batches, events }: DoneSoFar): void {
    const { clock } = this.#options
    const passed = this.#ahead.splice(0, batches)
    const count = passed.reduce((sum, batch) => sum + batch.events.length, events) - this.#positionEvents
    if (this.#uncommittedEvents === 0) {
      this.#uncommittedSince = clock.now()
      this.#uncommittedReceivedAt = (passed[0] ?? this.#ahead[0])?.receivedAt ?? clock.now()
    }
    this.#uncommittedEvents += count
    this.#position = passed.at(-1)?.position ?? this.#position
    this.#positionEvents = events
    if (!this.#isUnderWay) this.#readAgain()
  }

  /** What is not done is read again. */
  #readAgain(): void {
    if (this.#ahead.length === 0) return
    this.#ahead = []
    this.#release(({ orDiscarded, position }) => orDiscarded && position > this.#position, false)
  }

  #isCommitDue(): boolean {
    const { work } = this.#options
    const { pace } = work
    if (pace === undefined || work.isFull || this.#stopRequested) return true
    if (this.#uncommittedEvents >= pace.eventsMax || this.#untilCommit() <= 0) return true
    for (const { position } of this.#waiters) if (position <= this.#position) return true
    return false
  }

  /** Whether it is stopping, or a caller waits for the work under way, however it ends. */
  get #isAwaited(): boolean {
    return this.#stopRequested || [...this.#waiters].some(({ orDiscarded }) => orDiscarded)
  }

  /** Milliseconds. */
  #untilCommit(): number {
    const { work, clock } = this.#options
    const { pace } = work
    if (pace === undefined || !this.#hasUncommitted) return Number.POSITIVE_INFINITY
    // A clock that was set back makes nothing wait longer.
    return Math.min(pace.ms, this.#uncommittedSince + pace.ms - clock.now())
  }

  async #upkeep(): Promise<void> {
    const { upkeep, clock } = this.#options
    if (upkeep === undefined || Math.abs(clock.now() - this.#upkeptAt) < upkeep.everyMs) return
    this.#upkeptAt = clock.now()
    await upkeep.run()
  }

  /** When a commit fails, only the commit is repeated: its batches are not processed again. */
  async #commit(results: Results): Promise<void> {
    const { log, clock, onError, telemetry } = this.#options
    const [position, eventsDone, inputs] = [this.#position, this.#positionEvents, this.#uncommittedEvents]
    const within = eventsDone > 0 ? { eventsDone } : {}
    const progress = { position, ...within, ...results }
    const work = { kind: 'commit', ...this.#labels(), inputs } as const
    const { signal } = this.#stopping
    await untilDone(() => around(telemetry, work, () => log.commit(progress)), { clock, signal, onError })
    this.#cursor = position
    this.#cursorEvents = eventsDone
    this.#uncommittedEvents -= inputs
    this.#release(({ position }) => position <= this.#cursor, true)
  }

  /** Resolves the waits of the chosen callers. */
  #release(isChosen: (waiter: Waiter) => boolean, reached: boolean): void {
    for (const waiter of this.#waiters) {
      if (!isChosen(waiter)) continue
      this.#waiters.delete(waiter)
      waiter.resolve(reached)
    }
  }

  #labels() {
    const { workspaceId, destinationId } = this.#options
    return { workspaceId, ...(destinationId === undefined ? {} : { destinationId }) }
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      if (this.#awake || this.#stopRequested) resolve()
    })
  }

  async #untilWoken(): Promise<void> {
    const woken = this.#woken()
    const { upkeep, clock } = this.#options
    // The clock may have been set back.
    const untilUpkeep = upkeep
      ? Math.min(upkeep.everyMs, this.#upkeptAt + upkeep.everyMs - clock.now())
      : Number.POSITIVE_INFINITY
    const due = Math.min(untilUpkeep, this.#untilCommit())
    if (due === Number.POSITIVE_INFINITY) return woken
    const waiting = new AbortController()
    await Promise.race([woken, clock.sleep(Math.max(1, due), waiting.signal).catch(() => {})])
    // With a reason of its own, no error with a stack is made for each wait.
    waiting.abort(null)
  }
}

/** A caller that waits for the consumer. */
interface Waiter {
  readonly position: LogPosition
  /** Whether the wait also ends when the batches are to be processed again. */
  readonly orDiscarded: boolean
  resolve(reached: boolean): void
}
