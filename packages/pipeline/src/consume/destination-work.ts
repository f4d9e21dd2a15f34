import type { DestinationPath } from '../flow/destination-path.ts'
import { type Flow, runDestination, suppressLogged } from '../flow/flow.ts'
import type { LogBatch } from '../ports/event-log.ts'
import type { LogPosition } from '../ports/log-position.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import { type ConsumerWork, type Results, readBatchesMax } from './consumer.ts'
import { OutcomeRecorder, type OutcomeRecorderOptions } from './outcome-recorder.ts'
import type { Quarantine } from './quarantine.ts'
import type { RetryQueue } from './retry-queue.ts'
import { sourcedEvents } from './sourced-events.ts'

/** Events that go through a destination's stages together: as many as RudderStack sends to user code at a time. */
const batchEventsMax = 200

export interface DestinationWorkOptions extends OutcomeRecorderOptions {
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
  /** What became of batches that are processed and not yet committed. */
  #recorder: OutcomeRecorder | undefined
  /** The same, of batches whose commit is under way. */
  #committing: OutcomeRecorder | undefined

  constructor(options: DestinationWorkOptions) {
    this.#options = options
  }

  readMax(): number {
    return this.#isCareful ? 1 : readBatchesMax
  }

  async process(batches: readonly LogBatch[], signal: AbortSignal): Promise<number> {
    const { destinationId, retries } = this.#options
    const recorder = new OutcomeRecorder(this.#options)
    this.#recorder = recorder
    const sliceMax = this.#isCareful ? 1 : batchEventsMax
    const items = sourcedEvents(batches.filter((batch) => batch.destinationIds.includes(destinationId)))
    for (let start = 0; start < items.length; start += sliceMax) {
      await retries.room(signal)
      const slice = items.slice(start, start + sliceMax)
      const { flow, path } = this.#current({ position: batches[0]?.position ?? 0, index: start })
      const { workspaceId, telemetry } = this.#options
      const allowed = await suppressLogged(flow, slice, signal)
      const work = { kind: 'deliver', workspaceId, destinationId, inputs: allowed.length } as const
      const send = () => runDestination(path, allowed, signal)
      const sent = allowed.length === 0 ? [] : await around(telemetry, work, send)
      const results = new Map(sent.map((result) => [result.index, result]))
      const postponed = recorder.records().deferred.length
      for (const [index, item] of slice.entries()) recorder.add(item, path, results.get(index))
      // Now, so that the next slice waits behind these events.
      retries.hold(recorder.records().deferred.slice(postponed))
    }
    return batches.length
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
    quarantine.passed(workspaceId, consumer, position)
  }

  discard(): void {
    this.#options.retries.discard(this.#recorder?.records().deferred ?? [])
    this.#recorder = undefined
  }

  get #isCareful(): boolean {
    const { quarantine, workspaceId, consumer } = this.#options
    return quarantine.isCareful(workspaceId, consumer)
  }

  /** @param place of the first event to be sent; a careful consumer reads one batch at a time. */
  #current(place: { readonly position: LogPosition; readonly index: number }) {
    const { quarantine, workspaceId, consumer } = this.#options
    const { flow, path } = this.#options.current()
    const event = this.#isCareful ? { workspaceId, consumer, place } : undefined
    return { flow, path: quarantine.guarded(path, event) }
  }
}
