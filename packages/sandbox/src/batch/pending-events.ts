import type { SandboxLimits } from '../sandbox-limits.ts'

interface PendingEvent {
  /** Time by which the promise of the event must have settled, as of `performance.now()`. */
  readonly until: number
  /** Running time of its code so far, in milliseconds. */
  spentMs: number
}

/** The events of a batch whose promises have not settled yet, in the order in which they started. */
export class PendingEvents {
  readonly #limits: Pick<SandboxLimits, 'asyncTimeMs' | 'eventTimeMs'>
  readonly #events = new Map<number, PendingEvent>()

  constructor(limits: Pick<SandboxLimits, 'asyncTimeMs' | 'eventTimeMs'>) {
    this.#limits = limits
  }

  get size(): number {
    return this.#events.size
  }

  has(index: number): boolean {
    return this.#events.has(index)
  }

  indexes(): Iterable<number> {
    return this.#events.keys()
  }

  /** Adds an event whose code began to run at `startedAt`, as of `performance.now()`, and has run for `spentMs`. */
  add(index: number, startedAt: number, spentMs: number): void {
    this.#events.set(index, { until: startedAt + this.#limits.asyncTimeMs, spentMs })
  }

  /** Adds running time of an event's code. An event that is not pending is ignored. */
  spend(index: number, milliseconds: number): void {
    const event = this.#events.get(index)
    if (event) event.spentMs += milliseconds
  }

  /** Running time left for the code of an event, in milliseconds; 0 or less when it is used up. */
  leftMs(index: number): number {
    return this.#limits.eventTimeMs - (this.#events.get(index)?.spentMs ?? 0)
  }

  /** Milliseconds until the first promise is overdue, never below 0; Infinity when none is pending. */
  firstDueMs(): number {
    let until = Number.POSITIVE_INFINITY
    for (const event of this.#events.values()) until = Math.min(until, event.until)
    return Math.max(0, until - performance.now())
  }

  /** Removes and returns the events whose promises are overdue. */
  takeOverdue(): readonly number[] {
    const now = performance.now()
    const overdue: number[] = []
    for (const [index, { until }] of this.#events) if (until <= now) overdue.push(index)
    this.remove(overdue)
    return overdue
  }

  /** Removes events, pending or not. */
  remove(indexes: readonly number[]): void {
    if (this.#events.size > 0) for (const index of indexes) this.#events.delete(index)
  }

  clear(): void {
    this.#events.clear()
  }
}
