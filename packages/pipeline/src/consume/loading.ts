import {
  type Backoff,
  type Clock,
  doublingMs,
  fail,
  keysOfEvent,
  type Outcome,
  pass,
  type Random,
  type SourcedEvent,
  type Stage,
  unitedOrigins,
  uuidV7,
} from '@sluice/core'
import type { Delivery } from '@sluice/delivery'
import type { Loader, LoadReport } from '@sluice/destinations'
import type { SourcedRequest } from '../flow/destination-path.ts'
import { type Flow, suppress } from '../flow/flow.ts'
import type { LoadHistory } from '../insight/load-history.ts'
import type { LogBatch } from '../ports/event-log.ts'
import type { LoadAttempt, LoadMark, LoadStore } from '../ports/load-store.ts'
import type { LogPosition } from '../ports/log-position.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import { loadMsMax } from './is-load-under-way.ts'
import { LoadMarks } from './load-marks.ts'

/** Waits between attempts at a load. */
const loadBackoff: Backoff = { baseMs: 1_000, capMs: 60_000 }
/** How often a wait looks whether it still makes sense. */
const lookEveryMs = 500
/**
 * How long a load is tried, in milliseconds: a day. Longer than for other destinations, because events that wait for a
 * warehouse take no room but that in the log. Then they end in the dead letters, from where they can be replayed.
 */
export const loadWindowMs = 24 * 3_600_000

/**
 * Loads in a row that end with refused rows, and whose events are processed again without these. More mean that the rows are not
 * recognized, such as when a transformation makes others each time: then the loads are failures like others, with waits.
 */
const refusedLoadsMax = 20

export interface LoadingOptions {
  readonly workspaceId: string
  readonly destinationId: string
  /** The name of the consumer. */
  readonly consumer: string
  readonly loader: Loader
  readonly loads: LoadStore
  readonly clock: Clock
  readonly random: Random
  readonly history?: LoadHistory
  readonly telemetry?: Telemetry | undefined
  /** Returns the current flow, and the loader of the current path of the destination. */
  current(): { readonly flow: Pick<Flow, 'suppress'>; readonly loader: Loader | undefined }
  /** Called with failures of loads, which are tried again. */
  onError(error: unknown): void
}

/** Collected events must be processed again: what was made of them is no longer right. */
export class RestageError extends Error {}

/**
 * Collects the events of a consumer and loads them together, before their cursor is committed: the log is their queue.
 * The id of each load is stored here before it begins, and in the warehouse together with its rows. So after a crash,
 * events are left out exactly if their load has happened.
 */
export class Loading {
  readonly #options: LoadingOptions
  /** What is left of collected events: their users and sources, who may be suppressed before the load. */
  #subjects: SourcedEvent[] = []
  /** The last collected batch of each lane. */
  #places = new Map<number, LogPosition>()
  /** The last batch of each lane whose cursor is not stored yet. */
  #passing = new Map<number, LogPosition>()
  readonly #marks: LoadMarks
  /** Up to here, events are in the warehouse already, by lane. */
  readonly #loaded = new Map<number, LogPosition>()
  /** Up to here, events fail: they could not be loaded for too long. */
  readonly #givenUp = new Map<number, LogPosition>()
  #failingSince: number | undefined
  #hasStarted = false
  /** The same, in this process: time in which no process ran does not count towards giving up. */
  #tryingSince: number | undefined
  #lastError = ''
  /** Refused rows so far. */
  #refusals = 0
  /** Loads since the last success that ended with refused rows. */
  #refusedLoads = 0

  constructor(options: LoadingOptions) {
    this.#options = options
    this.#marks = new LoadMarks(options)
  }

  get loader(): Loader {
    return this.#options.loader
  }

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  /**
   * Decides what happens to the first batches.
   * @returns how many of them are treated alike, and the stage that takes the place of delivery.
   */
  async plan(
    batches: readonly LogBatch[],
    signal: AbortSignal,
  ): Promise<{ readonly count: number; readonly deliver: Stage<SourcedRequest, Delivery> }> {
    const kinds: Kind[] = []
    for (const batch of batches) {
      kinds.push(await this.#kindOf(batch, signal))
      if (kinds.at(-1) !== kinds[0]) break
    }
    const [kind = 'collect'] = kinds
    const same = kinds.findIndex((each) => each !== kind)
    const count = same === -1 ? kinds.length : same
    for (const batch of batches.slice(0, count)) {
      const { lane, position } = placeOf(batch)
      this.#passing.set(lane, position)
      if (kind === 'collect') this.#places.set(lane, position)
    }
    return { count, deliver: this.#stage(kind) }
  }

  /**
   * Loads what is collected. Tries until it succeeds, with growing waits.
   * @param isAwaited whether a caller waits for this consumer: then the first failure ends the attempts.
   * @throws when it gave up: everything collected is to be discarded, and processed again.
   */
  async flush(signal: AbortSignal, isAwaited: () => boolean): Promise<void> {
    const { loader } = this.#options
    if (this.#subjects.length === 0) {
      this.#places.clear()
      return
    }
    let loadId: string | undefined
    for (let attempt = 1; ; attempt += 1) {
      const startedAt = this.#options.clock.now()
      try {
        const begun = loadId
        if (begun !== undefined && (await this.#watched(() => loader.settle(begun, signal)))) {
          await this.#succeeded(startedAt, { loadId: begun, tables: [] })
          break
        }
        const id = await this.#begin()
        loadId = id
        await this.#succeeded(startedAt, await this.#load(id, signal))
        break
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof RestageError) throw error
        if (this.#isOfRefusedRows()) {
          await this.#refused(error, startedAt)
          throw new RestageError('the product refuses rows')
        }
        if (await this.#failed(error, startedAt)) {
          for (const [lane, position] of this.#places) this.#givenUp.set(lane, position)
          throw new RestageError(`loads have failed for a day: ${this.#lastError}`)
        }
        if (isAwaited()) throw new RestageError(`a load failed: ${this.#lastError}`)
        await this.#waitAfter(attempt, signal, isAwaited)
      }
    }
    loader.discard()
    this.#subjects = []
    this.#places.clear()
  }

  /** The cursors of all batches are stored that were planned so far. */
  committed(): void {
    this.#marks.committed(this.#passing)
    this.#passing.clear()
  }

  /** Forgets what is collected: its batches are processed again. */
  discard(): void {
    this.#options.loader.discard()
    this.#subjects = []
    this.#places.clear()
    this.#passing.clear()
    // The last load may have happened though its end is unknown.
    this.#marks.readAgain()
    this.#history?.collected(this.#key, 0)
  }

  get #history() {
    return this.#options.history
  }

  get #key() {
    const { workspaceId, destinationId } = this.#options
    return { workspaceId, destinationId }
  }

  async #kindOf(batch: LogBatch, signal: AbortSignal): Promise<Kind> {
    const { lane, position } = placeOf(batch)
    const { workspaceId, consumer, loads } = this.#options
    if (!this.#hasStarted) this.#failingSince ??= (await loads.attempts(workspaceId, consumer, 1))[0]?.failingSince
    this.#hasStarted = true
    for (const mark of await this.#marks.ofFirst({ lane, position })) await this.#settle(mark, signal)
    if (position <= (this.#loaded.get(lane) ?? -1)) return 'loaded'
    return position <= (this.#givenUp.get(lane) ?? -1) ? 'failing' : 'collect'
  }

  /**
   * Finds out whether a load of an earlier process has happened.
   * @throws the failure of the warehouse, unless loads have failed for too long: then the events of the load fail.
   */
  async #settle({ loadId, lane, position }: LoadMark, signal: AbortSignal): Promise<void> {
    const startedAt = this.#options.clock.now()
    try {
      const hasHappened = await this.#watched(() => this.#options.loader.settle(loadId, signal))
      if (hasHappened) this.#loaded.set(lane, Math.max(position, this.#loaded.get(lane) ?? 0))
    } catch (error) {
      signal.throwIfAborted()
      const isTooLong = await this.#failed(error, startedAt)
      if (!isTooLong) throw new RestageError(`it is not known whether a load has happened: ${this.#lastError}`)
      this.#givenUp.set(lane, position)
    }
  }

  /** Runs a call to the warehouse. */
  #watched<T>(call: () => Promise<T>): Promise<T> {
    const { telemetry, workspaceId, destinationId } = this.#options
    return around(telemetry, { kind: 'load', workspaceId, destinationId, inputs: this.#subjects.length }, call)
  }

  #stage(kind: Kind): Stage<SourcedRequest, Delivery> {
    return {
      name: 'deliver',
      mutatesInput: false,
      run: async (batch) => {
        const outcomes = batch.map((request) => this.#outcomeOf(kind, request))
        this.#history?.collected(this.#key, this.#subjects.length)
        return outcomes
      },
    }
  }

  #outcomeOf(kind: Kind, { event, requests, source, output }: SourcedRequest): Outcome<Delivery> {
    if (kind === 'failing') return fail({ code: 'deliver.unavailable', message: this.#lastError })
    if (kind === 'collect') {
      const reason = this.#options.loader.refusal?.(requests)
      if (reason !== undefined) return fail({ code: 'deliver.refused', message: reason })
      this.#options.loader.add(event, requests)
      this.#subjects.push(subjectOf(source, output))
    }
    return pass<Delivery>({ kind: 'delivered', status: 200, attempts: 1 })
  }

  /** Stores which load is about to begin. @returns its id. */
  async #begin(): Promise<string> {
    const { clock, random } = this.#options
    const loadId = uuidV7(clock, random)
    await this.#marks.begin(loadId, this.#places)
    return loadId
  }

  /** Loads what is collected, in bounded time, and stores when that is over. */
  async #load(loadId: string, signal: AbortSignal): Promise<LoadReport> {
    const { loader, clock, onError } = this.#options
    const over = new AbortController()
    const late = new AbortController()
    void clock.sleep(loadMsMax, over.signal).then(() => {
      if (over.signal.aborted) return
      late.abort(new Error(`the load took longer than ${loadMsMax / 60_000} minutes, and was ended`))
    })
    const ending = AbortSignal.any([signal, late.signal])
    try {
      // After the mark: a deletion that finds no load under way came before this look.
      await this.#requireUnsuppressed(ending)
      return await this.#watched(() => loader.load(loadId, ending))
    } finally {
      // With a reason of its own, no error with a stack is made for each load.
      over.abort(null)
      await this.#marks.over(loadId).catch(onError)
    }
  }

  /** A regulation may have come since the events were collected. @throws RestageError when one applies to any of them. */
  async #requireUnsuppressed(signal: AbortSignal): Promise<void> {
    const allowed = await suppress(this.#options.current().flow, this.#subjects, signal)
    if (allowed.length < this.#subjects.length) throw new RestageError('a regulation came before the load')
  }

  async #succeeded(startedAt: number, report: LoadReport): Promise<void> {
    this.#failingSince = undefined
    this.#tryingSince = undefined
    this.#refusedLoads = 0
    this.#history?.collected(this.#key, 0)
    await this.#ended(startedAt, { report })
  }

  /** Whether the last failure has shown which rows are at fault, so that the others can be loaded. */
  #isOfRefusedRows(): boolean {
    const { refusals = 0 } = this.#options.loader
    const isNew = refusals > this.#refusals
    this.#refusals = refusals
    if (isNew) this.#refusedLoads += 1
    return isNew && this.#refusedLoads <= refusedLoadsMax
  }

  async #refused(error: unknown, startedAt: number): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    await this.#ended(startedAt, { error: message })
    this.#options.onError(error)
  }

  /** Notes and reports a failure. @returns whether loads have failed for too long. */
  async #failed(error: unknown, startedAt: number): Promise<boolean> {
    const { clock, onError } = this.#options
    const now = clock.now()
    this.#failingSince ??= startedAt
    this.#tryingSince ??= startedAt
    this.#lastError = error instanceof Error ? error.message : String(error)
    await this.#ended(startedAt, { error: this.#lastError, failingSince: this.#failingSince })
    onError(error)
    return now - this.#tryingSince >= loadWindowMs
  }

  /** Notes an attempt. That it cannot be noted changes nothing about the load. */
  async #ended(startedAt: number, end: Pick<LoadAttempt, 'report' | 'error' | 'failingSince'>): Promise<void> {
    const { clock, onError } = this.#options
    const attempt = { startedAt, endedAt: clock.now(), events: this.#subjects.length, ...end }
    await this.#history?.ended(this.#key, attempt).catch(onError)
  }

  /** @throws RestageError when the destination has changed, or a caller waits meanwhile. */
  async #waitAfter(attempt: number, signal: AbortSignal, isAwaited: () => boolean): Promise<void> {
    const { clock, loader, current } = this.#options
    const until = clock.now() + doublingMs(attempt, loadBackoff)
    while (clock.now() < until) {
      await clock.sleep(Math.min(lookEveryMs, until - clock.now()), signal)
      signal.throwIfAborted()
      if (isAwaited()) throw new RestageError(`a load failed: ${this.#lastError}`)
      if (current().loader !== loader) throw new RestageError('the destination has changed')
    }
  }
}

/** What happens to a batch: it is collected for the next load, is in the warehouse already, or fails. */
type Kind = 'collect' | 'loaded' | 'failing'

/** Returns an event without content that belongs to the users of an accepted event and of what user code made of it. */
function subjectOf(source: SourcedEvent, output: SourcedEvent): SourcedEvent {
  const { workspaceId, sourceId, writeKey } = source
  const ofSource = { sourceId, identifiers: keysOfEvent(source.event) }
  const ofOutput = output === source ? undefined : [{ sourceId, identifiers: keysOfEvent(output.event) }]
  const otherOrigins = unitedOrigins([ofSource], ofOutput, source.otherOrigins, output.otherOrigins) ?? []
  return { workspaceId, sourceId, writeKey, event: {}, otherOrigins }
}

function placeOf({ stored, position }: LogBatch): { readonly lane: number; readonly position: LogPosition } {
  return stored ?? { lane: 0, position }
}
