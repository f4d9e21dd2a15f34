import type { SourcedEvent } from '@sluice/core'
import type { DestinationResult } from '../flow/destination-result.ts'
import type { LogBatch } from '../ports/event-log.ts'
import type { DoneSoFar } from './consumer.ts'
import { sourcedEvents } from './sourced-events.ts'

/**
 * Batches of the log on their way to one destination. Their events end in any order and are recorded in the order of the
 * log, so that at any moment everything up to some event is recorded, and nothing behind it.
 */
export class LogRead {
  /** The events to be processed, in order. */
  readonly items: readonly SourcedEvent[]
  /** Events of the first batch that are left out, because they were done before. */
  readonly skipped: number
  /** For each batch, how many of the items belong to it and to the batches before it. */
  readonly #ends: readonly number[]
  /** Results of items that have ended and are not recorded, by their index. */
  readonly #results = new Map<number, DestinationResult | undefined>()
  #recorded = 0

  /**
   * @param eventsDone how many events of the first batch were done before.
   * @param concerns whether a batch is for the destination; left out, all are.
   */
  constructor(batches: readonly LogBatch[], eventsDone: number, concerns: (batch: LogBatch) => boolean = () => true) {
    const [first] = batches
    const own = batches.filter(concerns)
    this.skipped = first !== undefined && own[0] === first ? eventsDone : 0
    const items = sourcedEvents(own)
    this.items = this.skipped > 0 ? items.slice(this.skipped) : items
    let end = -this.skipped
    this.#ends = batches.map((batch) => {
      if (concerns(batch)) end += batch.events.length
      return Math.max(0, end)
    })
  }

  /** An event has ended. @param result undefined when it is suppressed. */
  ended(index: number, result: DestinationResult | undefined): void {
    if (index >= this.#recorded) this.#results.set(index, result)
  }

  /** Passes on the events that have ended, in order, up to the first that has not. Each is passed on once. */
  record(add: (item: SourcedEvent, result: DestinationResult | undefined) => void): void {
    for (let item = this.items[this.#recorded]; item; item = this.items[this.#recorded]) {
      if (!this.#results.has(this.#recorded)) return
      add(item, this.#results.get(this.#recorded))
      this.#results.delete(this.#recorded)
      this.#recorded += 1
    }
  }

  /** How far events are recorded. Events of batches that are not for the destination need not be. */
  recorded(): DoneSoFar {
    const open = this.#ends.findIndex((end) => end > this.#recorded)
    const batches = open === -1 ? this.#ends.length : open
    if (open === -1) return { batches, events: 0 }
    const before = this.#ends[batches - 1] ?? -this.skipped
    return { batches, events: this.#recorded - before }
  }
}
