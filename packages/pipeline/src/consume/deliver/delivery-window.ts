import type { SourcedEvent } from '@sluice/core'
import type { DestinationPath } from '../../flow/destination-path.ts'
import type { RunWatch } from '../../flow/destination-run.ts'
import { type Flow, runDestination, suppressLogged } from '../../flow/flow.ts'
import type { LogBatch } from '../../ports/event-log.ts'
import { around } from '../../ports/telemetry.ts'
import { type DoneSoFar, readBytesMax } from '../cursor/log-cursor.ts'
import type { DestinationPlace } from '../destination-place.ts'
import { OutcomeRecorder } from '../outcome-recorder.ts'
import { type AddedEvents, LogRead } from './log-read.ts'
import { SlicePace } from './slice-pace.ts'

/** Characters of JSON text that may wait behind what is not recorded: at 2 s for a slow event, 1,500 small events each second. */
const aheadMax = 15 * readBytesMax
/** What one event counts at least, because small objects take more memory than their texts. */
const eventWeightMin = readBytesMax / 200

/** Events that go through the stages together. */
interface Slice {
  readonly items: readonly SourcedEvent[]
  /** The number of the first one: see `LogRead`. */
  readonly first: number
}

/** A slice that is not wholly recorded. */
interface OpenSlice {
  /** The number behind its last event. */
  readonly end: number
  /** What it counts among those that are ahead. */
  readonly weight: number
}

/**
 * Events of the log on their way to one destination. When the deliveries of a slice take longer than usual (see
 * `SlicePace`), the next ones may follow: a few slow answers hold back neither them nor, once they are kept by the retry
 * queue, the cursor.
 * The order of a user holds across slices: their deliveries begin in order, and `send` of the path keeps it.
 */
export class DeliveryWindow {
  readonly #place: DestinationPlace
  /** Ends what was begun and is discarded. */
  readonly #discarding = new AbortController()
  readonly #signal: AbortSignal
  readonly #read = new LogRead()
  /** Those that are not recorded, in order. */
  readonly #slices: OpenSlice[] = []
  /** What they count, of those that are behind another one. */
  #ahead = 0
  readonly #pace = new SlicePace()
  /** Slices on their way. */
  readonly #sending = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined
  /** What became of events that have ended and are not taken yet. */
  #recorder: OutcomeRecorder
  /** What the slices on their way are sent with: it keeps the order of users across them. */
  #send: DestinationPath['send'] | undefined

  constructor(place: DestinationPlace, signal: AbortSignal) {
    this.#place = place
    this.#recorder = new OutcomeRecorder(place)
    this.#signal = AbortSignal.any([signal, this.#discarding.signal])
  }

  /** Whether an event is not recorded. */
  get isOpen(): boolean {
    return this.#read.isOpen
  }

  /** Whether an event that was recorded since the last `takeRecorder` failed or is deferred. */
  get hasFailures(): boolean {
    return this.#recorder.hasFailures
  }

  /** Adds the events of batches, which are then to be sent. @param eventsDone how many of the first batch are left out. */
  add(batches: readonly LogBatch[], eventsDone: number): AddedEvents {
    const { destinationId } = this.#place
    return this.#read.add(batches, eventsDone, (batch) => batch.destinationIds.includes(destinationId))
  }

  /**
   * Begins to send a slice. Resolves when the next one may follow.
   * @param isAlone whether that is when the slice has ended.
   * @throws what went wrong with any slice.
   */
  async send(slice: Slice, flow: Pick<Flow, 'suppress'>, path: DestinationPath, isAlone: boolean): Promise<void> {
    // Two senders know nothing of each other's users.
    if (this.#send !== path.send) await this.ended()
    this.#send = path.send
    // A quick destination has one slice on its way at a time, which is not weighed.
    const weight = this.#slices.length > 0 ? weightOf(slice.items) : 0
    this.#slices.push({ end: slice.first + slice.items.length, weight })
    this.#takeAhead(weight)
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const { clock } = this.#place
    const startedAt = clock.now()
    const sent = this.#sendSlice(slice, flow, path, begin)
      // Now, so that what follows waits behind what is deferred.
      .then(() => this.#record())
      .catch((error) => {
        this.#failure ??= { error }
      })
      .then(() => {
        begin()
        this.#pace.took(clock.now() - startedAt)
        this.#sending.delete(sent)
      })
    this.#sending.add(sent)
    const waiting = new AbortController()
    await (isAlone ? sent : Promise.race([sent, clock.sleep(this.#pace.patienceMs, waiting.signal)]))
    // With a reason of its own, no error with a stack is made for each slice.
    waiting.abort(null)
    await begun
    while (this.#isFull && this.#failure === undefined && this.#sending.size > 0) await Promise.race(this.#sending)
    await this.#throwFailure()
  }

  /** Resolves when nothing is on its way any more. @throws as `send`. */
  async ended(): Promise<void> {
    while (this.#sending.size > 0 && this.#failure === undefined) await Promise.race(this.#sending)
    await this.#throwFailure()
  }

  /** Waits for what is on its way; the events behind it are to be read again. */
  async leaveRest(): Promise<void> {
    await this.ended()
    this.#record()
    this.#read.leaveRest()
  }

  /**
   * Records what has ended, up to the first event that has not. @returns how far that is, behind what it said before;
   * undefined when everything was recorded before, or is to be read again.
   */
  progress(): DoneSoFar | undefined {
    this.#record()
    return this.#read.progress()
  }

  /** Returns the recorder of what was recorded since the last call, to be committed. */
  takeRecorder(): OutcomeRecorder {
    const recorder = this.#recorder
    this.#recorder = new OutcomeRecorder(this.#place)
    return recorder
  }

  /** Ends the window: what is not taken is processed again. */
  discard(): void {
    this.#place.retries.discard(this.#recorder.records().deferred)
    this.#takeAhead(-this.#ahead)
    // Attempts of events that the retry queue keeps continue where nothing else is left.
    if (this.isOpen) this.#discarding.abort(new Error('the events are processed again'))
  }

  get #isDiscarded(): boolean {
    return this.#discarding.signal.aborted
  }

  async #sendSlice(
    { items, first }: Slice,
    flow: Pick<Flow, 'suppress'>,
    path: DestinationPath,
    begin: () => void,
  ): Promise<void> {
    const { workspaceId, destinationId, retries, telemetry } = this.#place
    const allowed = await suppressLogged(flow, items, this.#signal)
    if (allowed.length < items.length) {
      const kept = new Set(allowed.map(({ origin }) => origin))
      for (const index of items.keys()) if (!kept.has(index)) this.#read.ended(first + index, path, undefined)
    }
    if (allowed.length === 0) return
    const watch: RunWatch = {
      onSending: begin,
      onDeferred: (userKey) => {
        if (!this.#isDiscarded) retries.reserve(userKey)
      },
      // A load is one attempt for many events: it ends before the next one begins.
      keepsAttempts: path.loader === undefined,
    }
    const work = { kind: 'deliver', workspaceId, destinationId, inputs: allowed.length } as const
    await around(telemetry, work, () =>
      runDestination(
        path,
        allowed,
        this.#signal,
        (result) => this.#read.ended(first + result.index, path, result),
        watch,
      ),
    )
  }

  /** Hands results on to the recorder, in the order of the log, as far as every event has ended; and what is deferred to the retries. */
  #record(): void {
    if (this.#isDiscarded) return
    const recorder = this.#recorder
    const { retries } = this.#place
    const { deferred } = recorder.records()
    const before = deferred.length
    const users: string[] = []
    this.#read.record((item, path, result) => {
      recorder.add(item, path, result)
      for (const { userKey } of result?.deferrals ?? []) users.push(userKey)
    })
    // `records` shows the list itself, which has grown.
    if (deferred.length > before) retries.hold(deferred.slice(before), recorder.slow)
    for (const userKey of users) retries.release(userKey)
    const open = this.#slices.findIndex(({ end }) => end > this.#read.recordedUpTo)
    const recorded = this.#slices.splice(0, open < 0 ? this.#slices.length : open)
    for (const { weight } of recorded) this.#takeAhead(-weight)
  }

  /** Whether the next slice has to wait: so much is not recorded, or other destinations have so much. */
  get #isFull(): boolean {
    if (this.#slices.length === 0) return false
    return this.#ahead >= aheadMax || this.#place.ahead?.admits === false
  }

  #takeAhead(weight: number): void {
    this.#ahead += weight
    this.#place.ahead?.take(weight)
  }

  /** @throws what went wrong with a slice, once nothing is being sent any more. */
  async #throwFailure(): Promise<void> {
    if (this.#failure === undefined) return
    this.#discarding.abort(new Error('the events are processed again'))
    await Promise.all(this.#sending)
    throw this.#failure.error
  }
}

/** Returns what events count: about the characters of their JSON texts. */
function weightOf(items: readonly SourcedEvent[]): number {
  return items.reduce((sum, { event }) => sum + Math.max(eventWeightMin, JSON.stringify(event).length), 0)
}
