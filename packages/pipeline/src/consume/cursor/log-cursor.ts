import { type Clock, doublingMs } from '@sluice/core'
import type { MainTurns } from '../../flow/main-turns.ts'
import { ownBackoff, untilDone } from '../../flow/until-done.ts'
import { type ConsumerLog, type LogBatch, type Progress, readBatchesMax } from '../../ports/event-log.ts'
import type { LogPosition } from '../../ports/log-position.ts'
import { around, type Telemetry } from '../../ports/telemetry.ts'
import { CursorWaiters } from './cursor-waiters.ts'
import { Waking } from './waking.ts'

/** Bytes of JSON text read at a time: they are parsed in one go, and other workspaces wait meanwhile. */
export const readBytesMax = 128 * 1024

/** What is committed together with a cursor. */
type Results = Omit<Progress, 'workspaceId' | 'consumer' | 'position' | 'eventsDone'>

/**
 * How long results may wait for their commit, and for how many events, so that several batches share it. While somebody
 * waits for the consumer, nothing waits.
 */
export interface Pace {
  readonly ms: number
  readonly eventsMax: number
}

/** How much of what was read is done: its first batches, and the first events of the batch behind them. */
export interface DoneSoFar {
  readonly batches: number
  readonly events: number
}

export interface LogCursorOptions {
  readonly workspaceId: string
  readonly log: ConsumerLog
  readonly clock: Clock
  /** Turns on this thread, in which batches are parsed. */
  readonly turns: MainTurns
  readonly telemetry?: Telemetry
  /** The destination that telemetry reports. */
  readonly destinationId?: string
  /** The store failed; the consumer tries again by itself. */
  onError(error: unknown): void
}

/**
 * The place of one consumer in the log of a workspace: what it has read, what of that is done, and what is committed. A
 * consumer is a loop that reads, says what has passed, and commits its results together with the cursor: after a crash, it
 * continues behind its last commit. Each has a durable cursor of its own, so that a slow consumer delays no other.
 */
export class LogCursor {
  readonly #options: LogCursorOptions
  readonly #stopping = new AbortController()
  readonly #waking = new Waking()
  readonly #waiters = new CursorWaiters(() => this.#waking.rouse())
  #committed: LogPosition
  /** Committed events of the batch behind `#committed`. */
  #committedEvents: number
  /** The last batch that is done; results of batches behind the committed one are still to be committed. */
  #done: LogPosition
  /** Done events of the batch behind `#done`. */
  #doneEvents: number
  /** Batches behind `#done` that were read, in order. */
  #ahead: LogBatch[] = []
  #uncommitted = { events: 0, since: 0, receivedAt: 0 }
  #reading: Promise<unknown> = Promise.resolve()
  #isStopping = false
  /** Failures in a row. */
  #failures = 0
  #running: Promise<void> | undefined

  constructor(options: LogCursorOptions) {
    const { cursor, eventsDone } = options.log
    this.#committed = cursor
    this.#committedEvents = eventsDone
    this.#done = cursor
    this.#doneEvents = eventsDone
    this.#options = options
  }

  /** The last batch that is committed. */
  get position(): LogPosition {
    return this.#committed
  }

  /** Returns the age of the oldest batch that is not committed, in milliseconds; 0 when there is none. */
  async lagMs(): Promise<number> {
    const { log, clock } = this.#options
    const oldest = await log.oldestBehind(this.#committed)
    return oldest === undefined ? 0 : Math.max(0, clock.now() - oldest)
  }

  /** Whether there are batches that it has not committed. */
  async isBehind(): Promise<boolean> {
    return (await this.#options.log.oldestBehind(this.#committed)) !== undefined
  }

  /** Resolves with true once everything up to `position` is committed, with false when the consumer was stopped before. */
  reached(position: LogPosition): Promise<boolean> {
    return this.#wait(position, false)
  }

  /** Resolves when what the consumer works on now is committed, or is to be processed again. */
  async stepped(): Promise<void> {
    await this.#reading.catch(() => {})
    await this.#wait(this.#readUpTo, true)
  }

  /**
   * Starts the consumer. When its loop throws, everything behind the committed cursor is processed again: the loop is
   * started again after a wait.
   * @param loop returns when `isOpen` is false.
   */
  start(loop: (cursor: LogCursor) => Promise<void>): void {
    this.#running ??= this.#run(loop)
  }

  /** Has the loop look again whether it is paused. */
  wake(): void {
    this.#waking.rouse()
  }

  /** Ends at the next commit, or without one after `deadlineMs`; the rest is processed after a restart. */
  async stop(deadlineMs: number): Promise<void> {
    this.#isStopping = true
    this.#waking.rouse()
    const timer = setTimeout(() => this.#stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
    await this.#running
    clearTimeout(timer)
    this.#waiters.release(() => true, false)
  }

  // What follows is for the loop.

  /** Aborts when the consumer is to end at once. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** Whether nothing new is to be begun. */
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Whether the loop has something to do: false when the consumer is stopping, and all that was read is committed. */
  get isOpen(): boolean {
    return !this.#isStopping || this.hasUncommitted || this.#ahead.length > 0
  }

  get hasUncommitted(): boolean {
    return this.#done > this.#committed || this.#doneEvents > this.#committedEvents
  }

  /** Whether it is stopping, or a caller waits for the work under way, however it ends. */
  get isAwaited(): boolean {
    return this.#isStopping || this.#waiters.someWaitForAnyEnd
  }

  /** How many events of the batch that is read next were done before, and are to be left out. */
  get eventsDone(): number {
    return this.#ahead.length === 0 ? this.#doneEvents : 0
  }

  /** Reads the next batches. @returns none at the end of the log, and when the consumer is stopping. */
  async read(batchesMax: number = readBatchesMax): Promise<readonly LogBatch[]> {
    const { workspaceId, log, turns } = this.#options
    if (this.#isStopping) return []
    this.#waking.reset()
    const reading = turns.run(workspaceId, () => log.read(this.#readUpTo, batchesMax, readBytesMax))
    this.#reading = reading
    const batches = await reading
    this.#ahead.push(...batches)
    return batches
  }

  /** The first of what was read is done, as far as said, behind what was done before. */
  passed({ batches, events }: DoneSoFar): void {
    const { clock } = this.#options
    const passed = this.#ahead.splice(0, batches)
    if (this.#uncommitted.events === 0) {
      const { receivedAt = clock.now() } = passed[0] ?? this.#ahead[0] ?? {}
      this.#uncommitted = { events: 0, since: clock.now(), receivedAt }
    }
    this.#uncommitted.events += passed.reduce((sum, batch) => sum + batch.events.length, events) - this.#doneEvents
    this.#done = passed.at(-1)?.position ?? this.#done
    this.#doneEvents = events
  }

  /** What was read and is not done is read again. */
  leaveRest(): void {
    if (this.#ahead.length === 0) return
    this.#ahead = []
    this.#waiters.release(({ orDiscarded, position }) => orDiscarded && position > this.#done, false)
  }

  /** Whether results are to be committed now. */
  isDue(pace: Pace): boolean {
    if (!this.hasUncommitted) return false
    if (this.#isStopping || this.#uncommitted.events >= pace.eventsMax || this.untilDue(pace) <= 0) return true
    return this.#waiters.someWaitFor(this.#done)
  }

  /** Milliseconds until results are to be committed; infinite without any. */
  untilDue(pace: Pace): number {
    if (!this.hasUncommitted) return Number.POSITIVE_INFINITY
    // A clock that was set back makes nothing wait longer.
    return Math.min(pace.ms, this.#uncommitted.since + pace.ms - this.#options.clock.now())
  }

  /**
   * Commits results together with what is done. When that fails, only the commit is repeated: nothing is processed again.
   * @throws the reason of `signal`.
   */
  async commit(results: Results): Promise<void> {
    const { log, clock, onError, telemetry, workspaceId, destinationId } = this.#options
    const [position, eventsDone, inputs] = [this.#done, this.#doneEvents, this.#uncommitted.events]
    const lagMs = clock.now() - this.#uncommitted.receivedAt
    const progress = { position, eventsDone: eventsDone > 0 ? eventsDone : undefined, ...results }
    const labels = { workspaceId, destinationId }
    const store = () => around(telemetry, { kind: 'commit', ...labels, inputs }, () => log.commit(progress))
    await untilDone(store, { clock, signal: this.signal, onError })
    this.#committed = position
    this.#committedEvents = eventsDone
    this.#uncommitted.events -= inputs
    this.#failures = 0
    this.#waiters.release((waiter) => waiter.position <= position, true)
    telemetry?.caughtUp({ ...labels, lagMs })
  }

  /** Resolves after so many milliseconds, or when there may be something to do. */
  async more(waitMs: number = Number.POSITIVE_INFINITY): Promise<void> {
    this.#failures = 0
    await this.#waking.wait(waitMs, this.#options.clock)
  }

  /** Resolves when there may be something to do that was not seen by the last `read`. */
  roused(): Promise<void> {
    return this.#waking.roused()
  }

  /** Everything behind the committed cursor is read again. Results of it are to be forgotten. */
  rewind(): void {
    this.#done = this.#committed
    this.#doneEvents = this.#committedEvents
    this.#ahead = []
    this.#uncommitted.events = 0
    this.#waiters.release(({ orDiscarded }) => orDiscarded, false)
  }

  /** Rewinds, and resolves after a wait that grows with each one since the last commit. */
  async again(): Promise<void> {
    this.rewind()
    this.#failures += 1
    await this.#options.clock.sleep(doublingMs(this.#failures, ownBackoff), this.signal)
  }

  async #run(loop: (cursor: LogCursor) => Promise<void>): Promise<void> {
    const unwatch = this.#options.log.watch(() => this.#waking.rouse())
    while (this.isOpen) {
      try {
        await loop(this)
      } catch (error) {
        if (this.signal.aborted) break
        this.#options.onError(error)
        await this.again()
      }
    }
    unwatch()
  }

  /** The last batch that was read. */
  get #readUpTo(): LogPosition {
    return this.#ahead.at(-1)?.position ?? this.#done
  }

  #wait(position: LogPosition, orDiscarded: boolean): Promise<boolean> {
    if (this.#committed >= position) return Promise.resolve(true)
    if (this.#isStopping) return Promise.resolve(false)
    return this.#waiters.add(position, orDiscarded)
  }
}
