import type { SourcedEvent } from '@sluice/core'
import type { DestinationPath } from '../../flow/destination-path.ts'
import type { DestinationResult } from '../../flow/destination-result.ts'
import type { LogBatch } from '../../ports/event-log.ts'
import type { DoneSoFar } from '../cursor/log-cursor.ts'
import { sourcedEvents } from '../sourced-events.ts'

/** Events of batches that were added. */
export interface AddedEvents {
  /** In order. */
  readonly items: readonly SourcedEvent[]
  /** The number of the first of them, by which `ended` knows it. */
  readonly first: number
  /** Events of the first batch that are left out, because they were done before. */
  readonly skipped: number
}

interface Ended {
  readonly path: DestinationPath
  /** Undefined when the event is suppressed. */
  readonly result: DestinationResult | undefined
}

/**
 * Batches of the log on their way to one destination. Their events end in any order and are recorded in the order of the
 * log, so that at any moment everything up to some event is recorded, and nothing behind it.
 */
export class LogRead {
  /** Events that are not recorded, by number. */
  readonly #items = new Map<number, SourcedEvent>()
  /** Results of events that have ended and are not recorded, by number. */
  readonly #results = new Map<number, Ended>()
  /** For each batch that is not done, the number behind its last event. */
  #ends: number[] = []
  /** The number of the first event of the first batch that is not done. */
  #start = 0
  /** Events of that batch that were left out. */
  #skipped = 0
  #recorded = 0
  #next = 0
  #isLeft = false

  /** Events are recorded up to this number. */
  get recordedUpTo(): number {
    return this.#recorded
  }

  /** Whether a batch is not done. */
  get isOpen(): boolean {
    return this.#ends.length > 0
  }

  /**
   * @param eventsDone how many events of the first batch were done before; only while nothing is open.
   * @param concerns whether a batch is for the destination.
   */
  add(batches: readonly LogBatch[], eventsDone: number, concerns: (batch: LogBatch) => boolean): AddedEvents {
    const [firstBatch] = batches
    const own = batches.filter(concerns)
    const skipped = firstBatch !== undefined && own[0] === firstBatch ? eventsDone : 0
    const all = sourcedEvents(own)
    const items = skipped > 0 ? all.slice(skipped) : all
    const first = this.#next
    if (!this.isOpen) {
      this.#start = first
      this.#skipped = skipped
    }
    for (const item of items) {
      this.#items.set(this.#next, item)
      this.#next += 1
    }
    let end = first - skipped
    for (const batch of batches) {
      if (concerns(batch)) end += batch.events.length
      this.#ends.push(Math.max(first, end))
    }
    return { items, first, skipped }
  }

  /** An event has ended. @param result undefined when it is suppressed. */
  ended(number: number, path: DestinationPath, result: DestinationResult | undefined): void {
    if (this.#items.has(number)) this.#results.set(number, { path, result })
  }

  /** Passes on the events that have ended, in order, up to the first that has not. Each is passed on once. */
  record(add: (item: SourcedEvent, path: DestinationPath, result: DestinationResult | undefined) => void): void {
    for (let item = this.#items.get(this.#recorded); item; item = this.#items.get(this.#recorded)) {
      const ended = this.#results.get(this.#recorded)
      if (ended === undefined) return
      add(item, ended.path, ended.result)
      this.#results.delete(this.#recorded)
      this.#items.delete(this.#recorded)
      this.#recorded += 1
    }
  }

  /** What is not recorded now never will be: the next `progress` is the last for these batches. */
  leaveRest(): void {
    this.#isLeft = true
  }

  /**
   * Returns how many batches have been recorded since the last call, and how many events of the one behind them. Events of
   * batches that are not for the destination need not be recorded. Undefined when no batch was open.
   */
  progress(): DoneSoFar | undefined {
    if (!this.isOpen) return undefined
    let batches = 0
    for (let end = this.#ends[0]; end !== undefined && end <= this.#recorded; end = this.#ends[0]) {
      this.#ends.shift()
      this.#start = end
      this.#skipped = 0
      batches += 1
    }
    const events = this.isOpen ? this.#recorded - this.#start + this.#skipped : 0
    if (this.#isLeft) this.#forget()
    return { batches, events }
  }

  #forget(): void {
    this.#isLeft = false
    this.#ends = []
    this.#items.clear()
    this.#results.clear()
    this.#recorded = this.#next
  }
}
