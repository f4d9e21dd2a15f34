import type { DestinationPath } from '../flow/destination-path.ts'
import type { DestinationResult } from '../flow/destination-result.ts'
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

export interface DestinationWorkOptions
  extends OutcomeRecorderOptions,
    Pick<LoadingOptions, 'loads' | 'history' | 'onError'> {
  /** The name of the consumer. */
  readonly consumer: string
  readonly quarantine: Quarantine
  readonly telemetry?: Telemetry
  /** Events of the destination that wait to be tried again. */
  readonly retries: RetryQueue
  /** Returns the current flow, and the current path of the destination. */
  current(): { readonly flow: Pick<Flow, 'suppress'>; readonly path: DestinationPath }
}

/** The consumer that takes events of the log to one destination. */
export class DestinationWork implements ConsumerWork {
  readonly #options: DestinationWorkOptions
  /** The batches in process. */
  #read = new LogRead([], 0)
  /** The path of the events that are under way. */
  #path: DestinationPath | undefined
  /** What became of events that are processed and not yet committed. */
  #recorder: OutcomeRecorder | undefined
  /** The same, of events whose commit is under way. */
  #committing: OutcomeRecorder | undefined
  #passed: LogPosition = 0
  #loading: Loading | undefined

  constructor(options: DestinationWorkOptions) {
    this.#options = options
  }

  readMax(): number {
    return this.#isCareful ? 1 : readBatchesMax
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

  async process(batches: readonly LogBatch[], signal: AbortSignal, eventsDone: number): Promise<number | DoneSoFar> {
    const loading = this.#currentLoading()
    if (loading === undefined) return this.#process(batches, signal, eventsDone)
    const { count, deliver } = await loading.plan(batches, signal)
    return this.#process(batches.slice(0, count), signal, eventsDone, deliver)
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
  ): Promise<number | DoneSoFar> {
    const { workspaceId, destinationId, retries, telemetry } = this.#options
    const read = new LogRead(batches, eventsDone, (batch) => batch.destinationIds.includes(destinationId))
    this.#read = read
    const sliceMax = this.#isCareful ? 1 : batchEventsMax
    for (let start = 0; start < read.items.length; start += sliceMax) {
      await retries.room(signal)
      if (this.isPaused) return read.recorded()
      const slice = read.items.slice(start, start + sliceMax)
      const { flow, path: usual } = this.#current(placeIn(batches[0], read.skipped + start))
      const path = deliver ? { ...usual, deliver } : usual
      this.#path = path
      const allowed = await suppressLogged(flow, slice, signal)
      if (allowed.length < slice.length) {
        const kept = new Set(allowed.map(({ origin }) => origin))
        for (const index of slice.keys()) if (!kept.has(index)) read.ended(start + index, undefined)
      }
      const work = { kind: 'deliver', workspaceId, destinationId, inputs: allowed.length } as const
      const onResult = (result: DestinationResult): void => read.ended(start + result.index, result)
      const send = () => runDestination(path, allowed, signal, { onResult })
      const sent = allowed.length === 0 ? [] : await around(telemetry, work, send)
      for (const result of sent) read.ended(start + result.index, result)
      // Now, so that the next slice waits behind what is deferred.
      this.recordSoFar()
    }
    return batches.length
  }

  recordSoFar(): DoneSoFar {
    const path = this.#path
    const read = this.#read
    if (path === undefined) return read.recorded()
    this.#recorder ??= new OutcomeRecorder(this.#options)
    const recorder = this.#recorder
    const { deferred } = recorder.records()
    const before = deferred.length
    read.record((item, result) => recorder.add(item, path, result))
    // `records` shows the list itself, which has grown.
    if (deferred.length > before) this.#options.retries.hold(deferred.slice(before))
    return read.recorded()
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
    if (position > this.#passed) quarantine.passed(workspaceId, consumer, position)
    this.#passed = position
  }

  discard(): void {
    this.#options.retries.discard(this.#recorder?.records().deferred ?? [])
    this.#recorder = undefined
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
