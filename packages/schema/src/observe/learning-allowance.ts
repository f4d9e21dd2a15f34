import type { SchemaLimits } from '../catalogue/schema-limits.ts'

/** Seconds of learning that may be saved up: after a start everything is new, and is learnt at once. */
const stockSeconds = 10

/**
 * Bounds what the events of a workspace may teach, whose write keys may be public: learning costs a hundred times what
 * counting costs. Amounts are keys of events. What is allowed is asked before an event and paid after it, so one event
 * may exceed it.
 */
export class LearningAllowance {
  readonly #perBatch: number
  readonly #perSecond: number
  #stock: number
  #ofBatch: number
  #filledAt: number | undefined

  constructor({ newKeysPerBatchMax, newKeysPerSecondMax }: SchemaLimits) {
    this.#perBatch = newKeysPerBatchMax
    this.#perSecond = newKeysPerSecondMax
    this.#stock = newKeysPerSecondMax * stockSeconds
    this.#ofBatch = newKeysPerBatchMax
  }

  get isOpen(): boolean {
    return this.#ofBatch > 0 && this.#stock > 0
  }

  /** @param now milliseconds since the epoch; a clock that was set back adds nothing. */
  beginBatch(now: number): void {
    const seconds = Math.max(0, now - (this.#filledAt ?? now)) / 1_000
    this.#stock = Math.min(this.#perSecond * stockSeconds, this.#stock + seconds * this.#perSecond)
    this.#filledAt = now
    this.#ofBatch = this.#perBatch
  }

  /** Pays for what was learnt; a single event costs no more than a batch may. */
  spend(keys: number): void {
    const paid = Math.min(keys, this.#perBatch)
    this.#stock -= paid
    this.#ofBatch -= paid
  }
}
