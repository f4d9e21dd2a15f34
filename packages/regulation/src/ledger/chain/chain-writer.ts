import type { Clock } from '@sluice/core'
import type { LedgerPlace } from '../ledger-place.ts'
import type { LedgerRecord } from '../ledger-record.ts'
import { type ChainEnd, endBehind, writeLine } from './ledger-line.ts'

/** Records of one line, so that a line can be read at once. */
const recordsPerLine = 1_000

interface Waiting {
  readonly records: readonly LedgerRecord[]
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Writes the lines of one chain, one after another. What is written while a line is under way shares the next one. */
export class ChainWriter {
  readonly #place: LedgerPlace
  readonly #clock: Clock
  readonly chain: string
  #end: ChainEnd
  #waiting: Waiting[] = []
  #working: Promise<void> | undefined

  constructor(place: LedgerPlace, clock: Clock, chain: string, end: ChainEnd) {
    this.#place = place
    this.#clock = clock
    this.chain = chain
    this.#end = end
  }

  /** Everything before it is durable. */
  get end(): ChainEnd {
    return this.#end
  }

  /** Resolves when the records are durable; rejects when they could not be written, and nothing of them counts then. */
  write(records: readonly LedgerRecord[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ records, resolve, reject })
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined
      })
    })
  }

  async idle(): Promise<void> {
    await this.#working
  }

  async #work(): Promise<void> {
    // Other calls of the same turn share the first line.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const turn = this.#nextTurn()
      const records = turn.flatMap((each) => each.records)
      try {
        const text = writeLine(this.#end, new Date(this.#clock.now()).toISOString(), records)
        this.#end = endBehind(this.#end, text, await this.#place.append(this.chain, this.#end.next, text))
        for (const { resolve } of turn) resolve()
      } catch (error) {
        for (const { reject } of turn) reject(error)
      }
    }
  }

  /** Takes calls from the queue until a line is full; at least one. */
  #nextTurn(): readonly Waiting[] {
    let count = 0
    let size = 0
    while (count < this.#waiting.length) {
      size += this.#waiting[count]?.records.length ?? 0
      if (count > 0 && size > recordsPerLine) break
      count += 1
    }
    return this.#waiting.splice(0, count)
  }
}
