import { type DestinationResult, resultOfRest, runningOf } from '../../flow/destination-result.ts'
import type { SlowEvent } from '../outcome-recorder.ts'

interface KeptAttemptsOptions {
  /** Aborts when nothing may run any more. */
  readonly signal: AbortSignal
  /** Whether an event is stored, so that its result can be. */
  isStored(id: string): boolean
  /** Stores the results of events. */
  store(ended: readonly SlowEvent[]): Promise<void>
  /** Whether the attempts of an event arrived is not known: it is tried again. */
  onUnknown(id: string): void
  /** Other events may be tried now. */
  onChange(): void
  onError(error: unknown): void
}

/**
 * Attempts that still run of events that wait: those who began them, the log or a try, did not wait for them. Once they have ended,
 * and their event is stored, their result is stored.
 */
export class KeptAttempts {
  readonly #options: KeptAttemptsOptions
  /** Events whose attempts still run, by id. */
  readonly #kept = new Map<string, SlowEvent>()
  /** Those of them whose attempts have ended, with their results, until these are stored. */
  readonly #results = new Map<string, DestinationResult>()
  readonly #rests = new WeakMap<DestinationResult, Promise<DestinationResult>>()
  #storing: Promise<void> | undefined

  constructor(options: KeptAttemptsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#kept.size
  }

  has(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Keeps what still runs of an event, if anything does. */
  keep(slow: SlowEvent): void {
    const { event, result } = slow
    if (runningOf(result).length === 0) return
    this.#kept.set(event.id, slow)
    if (this.#options.signal.aborted) stopAttempts(result)
    void this.#ended(result).then(
      (rest) => {
        this.#results.set(event.id, rest)
        this.storeEnded()
      },
      (error) => this.#notEnded(slow, error),
    )
  }

  /** Forgets an event that does not wait any more. */
  forget(id: string): void {
    this.#kept.delete(id)
    this.#results.delete(id)
  }

  /** Forgets an event that is processed again, and ends what runs of it. */
  discard(id: string): void {
    const kept = this.#kept.get(id)
    this.forget(id)
    if (kept) for (const { abort } of runningOf(kept.result)) abort(new Error('the event is processed again'))
  }

  /** Ends everything that still runs. */
  abort(): void {
    for (const { result } of this.#kept.values()) stopAttempts(result)
  }

  /** Resolves when what runs now has ended. Never rejects. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#kept.values()].map(({ result }) => this.#ended(result)))
  }

  /** Resolves when no result is being stored. */
  async stored(): Promise<void> {
    await this.#storing
  }

  /** Stores results of events that are stored themselves. */
  storeEnded(): void {
    this.#storing ??= this.#storeEnded().finally(() => {
      this.#storing = undefined
    })
  }

  async #storeEnded(): Promise<void> {
    const { isStored, store, onChange, onError, signal } = this.#options
    for (;;) {
      const ready = [...this.#results].filter(([id]) => isStored(id))
      if (ready.length === 0) return
      const ended = ready.flatMap(([id, result]) => {
        const slow = this.#kept.get(id)
        return slow ? [{ ...slow, result }] : []
      })
      for (const [id] of ready) this.#results.delete(id)
      try {
        await store(ended)
      } catch (error) {
        // The queue stops: the next process tries them again.
        if (!signal.aborted) onError(error)
      }
      for (const { event } of ended) this.#kept.delete(event.id)
      onChange()
    }
  }

  /** The result of an event once its attempts have ended. */
  #ended(result: DestinationResult): Promise<DestinationResult> {
    const known = this.#rests.get(result) ?? resultOfRest(result)
    this.#rests.set(result, known)
    return known
  }

  #notEnded(slow: SlowEvent, error: unknown): void {
    const { id } = slow.event
    if (this.#kept.get(id) !== slow) return
    this.#kept.delete(id)
    const { onUnknown, onChange, onError, signal } = this.#options
    onUnknown(id)
    if (!signal.aborted) onError(error)
    onChange()
  }
}

function stopAttempts(result: DestinationResult): void {
  for (const { abort } of runningOf(result)) abort(new Error('the pipeline is stopping'))
}
