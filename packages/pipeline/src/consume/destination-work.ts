import type { BudgetShare, SourcedEvent } from '@sluice/core'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { RunWatch } from '../flow/destination-run.ts'
import { type Flow, runDestination, suppressLogged } from '../flow/flow.ts'
import type { EventPlace } from '../ports/crash-store.ts'
import { type LogBatch, readBatchesMax } from '../ports/event-log.ts'
import type { LogPosition } from '../ports/log-position.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import type { ConsumerWork, DoneSoFar, Results } from './consumer.ts'
import { Loading, type LoadingOptions, RestageError } from './loading.ts'
import { LogRead } from './log-read.ts'
import { OutcomeRecorder, type OutcomeRecorderOptions } from './outcome-recorder.ts'
import type { Quarantine } from './quarantine.ts'
import type { RetryQueue } from './retry-queue.ts'

/** Events that go through a destination's stages together: as many as RudderStack sends to user code at a time. */
const batchEventsMax = 200
/** Milliseconds after which a slice no longer holds back the next one. A quick destination has one on its way at a time. */
const aheadAfterMs = 100
/** Slices behind one that is not recorded: at 2 s for a slow event, they let a destination take 1,500 events each second. */
const slicesAheadMax = 15
/** Batches read at a time behind a slice that is not recorded. The bytes of a read are bounded as always. */
const aheadBatchesMax = 100

export interface DestinationWorkOptions
  extends OutcomeRecorderOptions,
    Pick<LoadingOptions, 'loads' | 'history' | 'onError'> {
  /** The name of the consumer. */
  readonly consumer: string
  readonly quarantine: Quarantine
  readonly telemetry?: Telemetry
  /** Events of the destination that wait to be tried again. */
  readonly retries: RetryQueue
  /** Slices that wait behind others, of all destinations of the workspace: each is at most one read. Left out, there is no limit. */
  readonly ahead?: BudgetShare
  /** Returns the current flow, and the current path of the destination. */
  current(): { readonly flow: Pick<Flow, 'suppress'>; readonly path: DestinationPath }
}

/** A slice that is not wholly recorded. */
interface OpenSlice {
  /** The number behind its last event: see `LogRead`. */
  readonly end: number
  /** Whether it is counted among those that are ahead. */
  readonly isAhead: boolean
}

/**
 * The consumer that takes events of the log to one destination.
 *
 * Slices of events go through the stages one after the other. When the deliveries of one take longer than `aheadAfterMs`,
 * the next ones follow meanwhile: a few slow answers hold back neither them nor, once they are kept by the retry queue, the
 * cursor. The order of a user holds across slices: their deliveries begin in order, and the deliver stage keeps it.
 */
export class DestinationWork implements ConsumerWork {
  readonly #options: DestinationWorkOptions
  /** The batches in process. */
  #read = new LogRead()
  /** Those of the slices that are not recorded, in order. */
  #slices: OpenSlice[] = []
  /** Slices on their way. */
  readonly #sending = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined
  /** Ends what was given and is discarded. */
  #discarding = new AbortController()
  #signal: AbortSignal | undefined
  /** What became of events that are processed and not yet committed. */
  #recorder: OutcomeRecorder | undefined
  /** The same, of events whose commit is under way. */
  #committing: OutcomeRecorder | undefined
  #passed: LogPosition = 0
  #loading: Loading | undefined
  /** The stage of the slices on their way: it keeps the order of users across them. */
  #deliver: DestinationPath['deliver'] | undefined

  constructor(options: DestinationWorkOptions) {
    this.#options = options
  }

  readMax(): number {
    if (this.#isCareful) return 1
    return this.#slices.length > 0 ? aheadBatchesMax : readBatchesMax
  }

  get pace() {
    return this.#options.current().path.loader?.pace
  }

  get isPaused(): boolean {
    return this.#options.current().path.pausedAt !== undefined
  }

  get isFull(): boolean {
    return this.#loading?.loader.isFull ?? false
  }

  get isUnderWay(): boolean {
    return this.#read.isOpen
  }

  async process(batches: readonly LogBatch[], signal: AbortSignal, eventsDone: number): Promise<undefined> {
    const loading = this.#currentLoading()
    const { count, deliver } = (await loading?.plan(batches, signal)) ?? {}
    await this.#process(batches.slice(0, count), signal, eventsDone, deliver)
  }

  async ended(): Promise<void> {
    while (this.#sending.size > 0 && this.#failure === undefined) await Promise.race(this.#sending)
    await this.#throwFailure()
  }

  async flush(signal: AbortSignal, isAwaited: () => boolean): Promise<void> {
    await this.#currentLoading()?.flush(signal, isAwaited)
  }

  /** @param deliver takes the place of the path's own delivery. */
  async #process(
    batches: readonly LogBatch[],
    signal: AbortSignal,
    eventsDone: number,
    deliver?: DestinationPath['deliver'],
  ): Promise<void> {
    const { destinationId, retries } = this.#options
    this.#signal ??= AbortSignal.any([signal, this.#discarding.signal])
    const concerns = (batch: LogBatch): boolean => batch.destinationIds.includes(destinationId)
    const { items, first, skipped } = this.#read.add(batches, eventsDone, concerns)
    const isAlone = deliver !== undefined || this.#isCareful
    const sliceMax = this.#isCareful ? 1 : batchEventsMax
    for (let start = 0; start < items.length; start += sliceMax) {
      await retries.room(signal)
      if (this.isPaused) return this.#leaveRest()
      const slice = items.slice(start, start + sliceMax)
      const { flow, path: usual } = this.#current(placeIn(batches[0], skipped + start))
      const path = deliver ? { ...usual, deliver } : usual
      // Two deliver stages know nothing of each other's users.
      if (this.#deliver !== path.deliver) await this.ended()
      this.#deliver = path.deliver
      const isAhead = this.#slices.length > 0
      if (isAhead) this.#options.ahead?.take(1)
      this.#slices.push({ end: first + start + slice.length, isAhead })
      await this.#send(slice, first + start, flow, path, isAlone)
    }
  }

  /** Begins to send a slice. Resolves when the next one may follow. */
  async #send(
    slice: readonly SourcedEvent[],
    first: number,
    flow: Pick<Flow, 'suppress'>,
    path: DestinationPath,
    isAlone: boolean,
  ): Promise<void> {
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const read = this.#read
    const sent = this.#sendSlice(read, slice, first, flow, path, begin)
      // Now, so that what follows waits behind what is deferred.
      .then(() => read === this.#read && this.#record())
      .catch((error) => {
        if (read === this.#read) this.#failure ??= { error }
      })
      .then(() => {
        begin()
        this.#sending.delete(sent)
      })
    this.#sending.add(sent)
    const waiting = new AbortController()
    await (isAlone ? sent : Promise.race([sent, this.#options.clock.sleep(aheadAfterMs, waiting.signal)]))
    // With a reason of its own, no error with a stack is made for each slice.
    waiting.abort(null)
    await begun
    while (this.#isFull && this.#failure === undefined && this.#sending.size > 0) await Promise.race(this.#sending)
    await this.#throwFailure()
  }

  async #sendSlice(
    read: LogRead,
    slice: readonly SourcedEvent[],
    first: number,
    flow: Pick<Flow, 'suppress'>,
    path: DestinationPath,
    begin: () => void,
  ): Promise<void> {
    const { workspaceId, destinationId, retries, telemetry } = this.#options
    const signal = this.#signal ?? this.#discarding.signal
    const allowed = await suppressLogged(flow, slice, signal)
    if (allowed.length < slice.length) {
      const kept = new Set(allowed.map(({ origin }) => origin))
      for (const index of slice.keys()) if (!kept.has(index)) read.ended(first + index, path, undefined)
    }
    if (allowed.length === 0) return
    const work = { kind: 'deliver', workspaceId, destinationId, inputs: allowed.length } as const
    const watch: RunWatch = {
      onSending: begin,
      onDeferred: (userKey) => {
        if (read === this.#read) retries.reserve(userKey)
      },
      onResult: (result) => read.ended(first + result.index, path, result),
      keepsAttempts: path.loader === undefined,
    }
    const sent = await around(telemetry, work, () => runDestination(path, allowed, signal, watch))
    for (const result of sent) read.ended(first + result.index, path, result)
  }

  /** Whether the next slice has to wait: so much is not recorded, or other destinations have so much. */
  get #isFull(): boolean {
    if (this.#slices.length === 0) return false
    return this.#slices.length > slicesAheadMax || this.#options.ahead?.admits === false
  }

  /** Waits for what is under way; the batches behind it are read again. */
  async #leaveRest(): Promise<void> {
    await this.ended()
    this.#record()
    this.#read.leaveRest()
  }

  /** @throws what went wrong with a slice, once nothing is being sent any more. */
  async #throwFailure(): Promise<void> {
    if (this.#failure === undefined) return
    this.#discarding.abort(new Error('the events are processed again'))
    await Promise.all(this.#sending)
    const { error } = this.#failure
    this.#failure = undefined
    throw error
  }

  recordSoFar(): DoneSoFar {
    this.#record()
    return this.#read.take()
  }

  #record(): void {
    this.#recorder ??= new OutcomeRecorder(this.#options)
    const recorder = this.#recorder
    const { retries, ahead } = this.#options
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
    const open = this.#slices.filter(({ end }) => end > this.#read.recordedUpTo)
    for (const { isAhead } of this.#slices.slice(0, this.#slices.length - open.length)) if (isAhead) ahead?.take(-1)
    this.#slices = open
  }

  take(): Results {
    const results = this.#recorder?.records() ?? { counts: [], receipts: [] }
    this.#committing = this.#recorder
    this.#recorder = undefined
    return results
  }

  committed({ deferred = [] }: Results, position: LogPosition): void {
    const { retries, quarantine, workspaceId, consumer } = this.#options
    retries.stored(deferred)
    this.#committing?.showTap()
    this.#committing = undefined
    this.#loading?.committed()
    if (position > this.#passed) quarantine.passed(workspaceId, consumer, position)
    this.#passed = position
  }

  discard(): void {
    const { retries, ahead } = this.#options
    retries.discard(this.#recorder?.records().deferred ?? [])
    this.#recorder = undefined
    this.#read = new LogRead()
    for (const { isAhead } of this.#slices) if (isAhead) ahead?.take(-1)
    this.#slices = []
    this.#failure = undefined
    this.#discarding.abort(new Error('the events are processed again'))
    this.#discarding = new AbortController()
    this.#signal = undefined
    this.#loading?.discard()
  }

  /** @throws RestageError when the destination changed: what is collected for the loader before is processed again. */
  #currentLoading(): Loading | undefined {
    const { current, ...options } = this.#options
    const { loader } = current().path
    const before = this.#loading
    if (before?.loader === loader) return before
    const state = () => ({ flow: current().flow, loader: current().path.loader })
    this.#loading = loader && new Loading({ ...options, loader, current: state })
    if (before !== undefined && !before.isEmpty) throw new RestageError('the destination has changed')
    return this.#loading
  }

  get #isCareful(): boolean {
    const { quarantine, workspaceId, consumer } = this.#options
    return quarantine.isCareful(workspaceId, consumer)
  }

  /** @param place of the first event to be sent; a careful consumer reads one batch at a time. */
  #current(place: EventPlace) {
    const { quarantine, workspaceId, consumer } = this.#options
    const { flow, path } = this.#options.current()
    const event = this.#isCareful ? { workspaceId, consumer, place } : undefined
    return { flow, path: quarantine.guarded(path, event) }
  }
}

/** Returns where an event is stored. @param index among those of the batch that are not left out. */
function placeIn(batch: LogBatch | undefined, index: number): EventPlace {
  if (batch?.stored === undefined) return { position: batch?.position ?? 0, index }
  const { lane, position, skipped } = batch.stored
  return { lane, position, index: skipped + index }
}
