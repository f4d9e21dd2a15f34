import type { SchemaLimits } from '../schema-limits.ts'

/**
 * Seconds of learning that can be saved up, because after a start everything is new and should be learnt immediately.
 */
const stockSeconds = 10

/**
 * Limits how much the events of a workspace may teach the catalogue. Learning costs a hundred times as much as
 * counting, and write keys may be public. Amounts are keys of events. The allowance is checked before an event and
 * charged after it, so a single event may exceed it.
 */
export class LearningAllowance {
  readonly #perBatch: number
  readonly #perSecond: number
  #stock: number
  #ofBatch: number
  #filledAt: number | undefined
  #receivedAt: number | undefined

  constructor({ newKeysPerBatchMax, newKeysPerSecondMax }: SchemaLimits) {
    this.#perBatch = newKeysPerBatchMax
    this.#perSecond = newKeysPerSecondMax
    this.#stock = newKeysPerSecondMax * stockSeconds
    this.#ofBatch = newKeysPerBatchMax
  }

  get isOpen(): boolean {
    return this.#ofBatch > 0 && this.#stock > 0
  }

  /**
   * @param now milliseconds since the epoch; a clock that was set back adds nothing.
   * @param received when the first and the last event of the batch were received. Batches received at the same moment
   * share one allowance: a large call of a sender becomes several.
   */
  beginBatch(now: number, received: readonly [first: number | undefined, last: number | undefined]): void {
    const seconds = Math.max(0, now - (this.#filledAt ?? now)) / 1_000
    this.#stock = Math.min(this.#perSecond * stockSeconds, this.#stock + seconds * this.#perSecond)
    this.#filledAt = now
    const [first, last] = received
    const isContinued = first !== undefined && first === this.#receivedAt
    this.#receivedAt = last
    if (!isContinued || first !== last) this.#ofBatch = this.#perBatch
  }

  /** Charges for learnt keys. A single event is charged at most the allowance of a batch. */
  spend(keys: number): void {
    const paid = Math.min(keys, this.#perBatch)
    this.#stock -= paid
    this.#ofBatch -= paid
  }
}
