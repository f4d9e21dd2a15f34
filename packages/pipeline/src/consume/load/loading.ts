import {
  type Backoff,
  doublingMs,
  keysOfEvent,
  type SourcedEvent,
  type StageError,
  unitedOrigins,
  uuidV7,
} from '@sluice/core'
import type { Loader, LoadReport } from '@sluice/destinations'
import { suppress } from '../../flow/admit-batch.ts'
import type { SourcedRequest } from '../../flow/destination-path.ts'
import type { LogBatch } from '../../ports/event-log.ts'
import type { LogPosition } from '../../ports/log-position.ts'
import type { LoadAttempt, LoadMark } from '../../ports/stores/load-store.ts'
import { around } from '../../ports/telemetry.ts'
import type { DestinationPlace } from '../destination-place.ts'
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
const loadWindowMs = 24 * 3_600_000

/**
 * Loads in a row that end with refused rows, and whose events are processed again without these. More mean that the rows are not
 * recognized, such as when a transformation makes others each time: then the loads are failures like others, with waits.
 */
const refusedLoadsMax = 20

type LoadPlace = Pick<
  DestinationPlace,
  'workspaceId' | 'destinationId' | 'consumer' | 'loads' | 'clock' | 'random' | 'history' | 'telemetry' | 'onError'
> & {
  /** Returns the current flow, and the loader of the current path of the destination. */
  current(): {
    readonly flow: ReturnType<DestinationPlace['current']>['flow']
    readonly path: { readonly loader?: Loader }
  }
}

/**
 * What happens to a batch: it is collected for the next load, is in the warehouse already, or fails. Unknown: it may be in
 * the warehouse, which does not say.
 */
export type BatchState = 'collect' | 'loaded' | 'failing' | 'unknown'

/**
 * The loads of one destination. The id of each load is stored here before it begins, and in the warehouse together with
 * its rows. So after a crash, events are left out exactly if their load has happened.
 */
export class Loading {
  readonly loader: Loader
  readonly #place: LoadPlace
  /** What is left of collected events: their users and sources, who may be suppressed before the load. */
  #subjects: SourcedEvent[] = []
  /** The last collected batch of each lane. */
  #places = new Map<number, LogPosition>()
  /** The last batch of each lane whose cursor is not stored yet. */
  #uncommitted = new Map<number, LogPosition>()
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

  constructor(loader: Loader, place: LoadPlace) {
    this.loader = loader
    this.#place = place
    this.#marks = new LoadMarks(place)
  }

  /** Decides what happens to the first batches. @returns how many of them are treated alike. */
  async plan(
    batches: readonly LogBatch[],
    signal: AbortSignal,
  ): Promise<{ readonly count: number; readonly state: BatchState }> {
    const states: BatchState[] = []
    for (const batch of batches) {
      states.push(await this.#stateOf(batch, signal))
      if (states.at(-1) !== states[0]) break
    }
    const [state = 'collect'] = states
    const other = states.findIndex((each) => each !== state)
    const count = other === -1 ? states.length : other
    for (const batch of batches.slice(0, count)) {
      const { lane, position } = placeOf(batch)
      this.#uncommitted.set(lane, position)
      if (state === 'collect') this.#places.set(lane, position)
    }
    return { count, state }
  }

  /** Collects the requests of an event. @returns why the event cannot be loaded, undefined when it can. */
  add({ event, requests, source, output }: SourcedRequest): StageError | undefined {
    const reason = this.loader.refusal?.(requests)
    if (reason !== undefined) return { code: 'deliver.refused', message: reason }
    try {
      this.loader.add(event, requests)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      return { code: 'stage.broken', message: `loading is broken: ${text}` }
    }
    this.#subjects.push(subjectOf(source, output))
    return undefined
  }

  /** Shows how much is collected. */
  collected(): void {
    this.#history?.collected(this.#key, this.#subjects.length)
  }

  /** Why the events of loads that have failed for too long fail. */
  get failure(): StageError {
    return { code: 'deliver.unavailable', message: this.#lastError }
  }

  /**
   * Loads what is collected. Tries until it succeeds, with growing waits.
   * @param isAwaited whether a caller waits for this consumer: then the first failure ends the attempts.
   * @returns false when it gave up: everything collected is to be discarded, and processed again.
   */
  async load(signal: AbortSignal, isAwaited: () => boolean): Promise<boolean> {
    if (this.#subjects.length > 0) {
      let loadId: string | undefined
      for (let attempt = 1; ; attempt += 1) {
        const startedAt = this.#place.clock.now()
        try {
          if (loadId !== undefined && (await this.#hasHappened(loadId, signal)))
            await this.#succeeded(startedAt, { loadId, tables: [] })
          else {
            loadId = await this.#begin()
            const report = await this.#loadOnce(loadId, signal)
            // A regulation came since the events were collected.
            if (report === undefined) return false
            await this.#succeeded(startedAt, report)
          }
          break
        } catch (error) {
          signal.throwIfAborted()
          if (!(await this.#isTriedAgain(error, startedAt, isAwaited))) return false
          if (!(await this.#waitAfter(attempt, signal, isAwaited))) return false
        }
      }
      this.loader.discard()
    }
    this.#subjects = []
    this.#places.clear()
    return true
  }

  /** The cursors of all batches are stored that were planned so far. */
  committed(): void {
    this.#marks.committed(this.#uncommitted)
    this.#uncommitted.clear()
  }

  /** Forgets what is collected: its batches are processed again. */
  discard(): void {
    this.loader.discard()
    this.#subjects = []
    this.#places.clear()
    this.#uncommitted.clear()
    // The last load may have happened though its end is unknown.
    this.#marks.readAgain()
    this.#history?.collected(this.#key, 0)
  }

  get #history() {
    return this.#place.history
  }

  get #key() {
    const { workspaceId, destinationId } = this.#place
    return { workspaceId, destinationId }
  }

  async #stateOf(batch: LogBatch, signal: AbortSignal): Promise<BatchState> {
    const { lane, position } = placeOf(batch)
    const { workspaceId, consumer, loads } = this.#place
    if (!this.#hasStarted) this.#failingSince ??= (await loads.attempts(workspaceId, consumer, 1))[0]?.failingSince
    this.#hasStarted = true
    for (const mark of await this.#marks.ofFirst({ lane, position }))
      if (!(await this.#settle(mark, signal))) return 'unknown'
    if (position <= (this.#loaded.get(lane) ?? -1)) return 'loaded'
    return position <= (this.#givenUp.get(lane) ?? -1) ? 'failing' : 'collect'
  }

  /**
   * Finds out whether a load of an earlier process has happened.
   * @returns false when the warehouse does not say. When loads have failed for too long, the events of the load fail.
   */
  async #settle({ loadId, lane, position }: LoadMark, signal: AbortSignal): Promise<boolean> {
    const startedAt = this.#place.clock.now()
    try {
      if (await this.#hasHappened(loadId, signal))
        this.#loaded.set(lane, Math.max(position, this.#loaded.get(lane) ?? 0))
    } catch (error) {
      signal.throwIfAborted()
      if (!(await this.#failed(error, startedAt))) return false
      this.#givenUp.set(lane, position)
    }
    return true
  }

  #hasHappened(loadId: string, signal: AbortSignal): Promise<boolean> {
    return this.#watched(() => this.loader.settle(loadId, signal))
  }

  /** Runs a call to the warehouse. */
  #watched<T>(call: () => Promise<T>): Promise<T> {
    const { telemetry, workspaceId, destinationId } = this.#place
    return around(telemetry, { kind: 'load', workspaceId, destinationId, inputs: this.#subjects.length }, call)
  }

  /** Stores which load is about to begin. @returns its id. */
  async #begin(): Promise<string> {
    const { clock, random } = this.#place
    const loadId = uuidV7(clock, random)
    await this.#marks.begin(loadId, this.#places)
    return loadId
  }

  /**
   * Loads what is collected, in bounded time, and stores when that is over.
   * @returns undefined when a regulation came since the events were collected: nothing is loaded then.
   */
  async #loadOnce(loadId: string, signal: AbortSignal): Promise<LoadReport | undefined> {
    const { clock, onError } = this.#place
    const over = new AbortController()
    const late = new AbortController()
    void clock.sleep(loadMsMax, over.signal).then(() => {
      if (over.signal.aborted) return
      late.abort(new Error(`the load took longer than ${loadMsMax / 60_000} minutes, and was ended`))
    })
    const ending = AbortSignal.any([signal, late.signal])
    try {
      // After the mark: a deletion that finds no load under way came before this look.
      const allowed = await suppress(this.#place.current().flow, this.#subjects, ending)
      if (allowed.length < this.#subjects.length) return undefined
      return await this.#watched(() => this.loader.load(loadId, ending))
    } finally {
      // With a reason of its own, no error with a stack is made for each load.
      over.abort(null)
      await this.#marks.over(loadId).catch(onError)
    }
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
    const { refusals = 0 } = this.loader
    const isNew = refusals > this.#refusals
    this.#refusals = refusals
    if (isNew) this.#refusedLoads += 1
    return isNew && this.#refusedLoads <= refusedLoadsMax
  }

  /** Notes and reports why a load failed. @returns whether it is to be tried again as it is. */
  async #isTriedAgain(error: unknown, startedAt: number, isAwaited: () => boolean): Promise<boolean> {
    if (this.#isOfRefusedRows()) {
      await this.#ended(startedAt, { error: error instanceof Error ? error.message : String(error) })
      this.#place.onError(error)
      return false
    }
    if (await this.#failed(error, startedAt)) {
      for (const [lane, position] of this.#places) this.#givenUp.set(lane, position)
      return false
    }
    return !isAwaited()
  }

  /** Notes and reports a failure. @returns whether loads have failed for too long. */
  async #failed(error: unknown, startedAt: number): Promise<boolean> {
    const { clock, onError } = this.#place
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
    const { clock, onError } = this.#place
    const attempt = { startedAt, endedAt: clock.now(), events: this.#subjects.length, ...end }
    await this.#history?.ended(this.#key, attempt).catch(onError)
  }

  /** Waits before the next attempt. @returns false when there is to be none: a caller waits, or the destination has changed. */
  async #waitAfter(attempt: number, signal: AbortSignal, isAwaited: () => boolean): Promise<boolean> {
    const { clock, current } = this.#place
    const until = clock.now() + doublingMs(attempt, loadBackoff)
    while (clock.now() < until) {
      await clock.sleep(Math.min(lookEveryMs, until - clock.now()), signal)
      signal.throwIfAborted()
      if (isAwaited() || current().path.loader !== this.loader) return false
    }
    return true
  }
}

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
