import { type Clock, type Random, uuidV4 } from '@sluice/core'
import type { Store } from '../../ports/store.ts'
import type { CounterStore } from '../../ports/stores/counter-store.ts'
import { type HistoryRow, minuteMs, slotOf } from '../../ports/stores/history-store.ts'
import type { MinuteMeasures } from './minute-measures.ts'

/** How often it is looked whether a minute has ended, in milliseconds. */
const lookMs = 1_000
/** Measures that are kept while the store takes none, two of each minute: those of an hour. */
const waitingMax = 120

interface HistoryKeeperOptions {
  readonly store: Pick<Store, 'history' | 'cluster'> & { readonly counters: Pick<CounterStore, 'tidyNamed'> }
  readonly clock: Clock
  readonly random: Random
  readonly measures: MinuteMeasures
  /** Returns the age of the oldest event that waits for each destination. */
  oldestWaiting(): Promise<readonly HistoryRow[]>
  onError(error: unknown): void
}

/**
 * Writes the history at the end of each minute: one process moves what was counted, and each adds what it has measured itself.
 * What a process had counted that was killed lands in the minute that is written next.
 */
export class HistoryKeeper {
  readonly #options: HistoryKeeperOptions
  #minute: number
  #timer: ReturnType<typeof setInterval> | undefined
  #working: Promise<void> | undefined
  /** Measures that are not stored yet, the oldest first. */
  #waiting: { readonly at: number; readonly rows: readonly HistoryRow[]; readonly writeId: string }[] = []

  constructor(options: HistoryKeeperOptions) {
    this.#options = options
    this.#minute = slotOf(options.clock.now(), minuteMs)
  }

  /** Starts to look at the clock. By the machine's own time, so that a clock of a test does not move on by itself. */
  start(): void {
    this.#timer ??= setInterval(() => void this.look(), lookMs).unref()
  }

  /** Writes the history when the minute is another one than before, also when the clock was set back. */
  look(): Promise<void> {
    const { clock, onError } = this.#options
    const now = slotOf(clock.now(), minuteMs)
    if (this.#working || now === this.#minute) return this.#working ?? Promise.resolve()
    const ended = this.#minute
    this.#minute = now
    this.#working = this.#write(ended)
      .catch(onError)
      .finally(() => {
        this.#working = undefined
      })
    return this.#working
  }

  /** Writes what there is of the current minute, if there is time for it. Resolves after `deadlineMs` at the latest. */
  async close(deadlineMs: number): Promise<void> {
    clearInterval(this.#timer)
    const { store, onError } = this.#options
    if (this.#timer === undefined || deadlineMs <= 0 || store.cluster?.isServing === false) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const isOver = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMs)
    })
    const written = async (): Promise<void> => {
      await this.#working
      await this.#write(this.#minute)
    }
    await Promise.race([written().catch(onError), isOver])
    clearTimeout(timer)
  }

  async #write(at: number): Promise<void> {
    const { store, clock, measures, oldestWaiting } = this.#options
    const { history, counters, cluster } = store
    const isServing = cluster?.isServing !== false
    // One process is enough; what it misses because it is gone, the next one finds.
    const isMover = isServing && (cluster === undefined || cluster.isLeader)
    this.#keep(at, measures.take())
    // First, so that nothing that is counted from now on is taken for that of the minute.
    if (isMover) await history.snap(at)
    this.#keep(at, await oldestWaiting())
    if (!isServing) return
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      await history.add(next.at, next.rows, next.writeId)
      this.#waiting.shift()
    }
    // Last: what is too old may wait, what was measured may not.
    if (!isMover) return
    await history.prune(clock.now())
    await counters.tidyNamed(clock.now())
  }

  #keep(at: number, rows: readonly HistoryRow[]): void {
    if (rows.length === 0) return
    this.#waiting.push({ at, rows, writeId: uuidV4(this.#options.random) })
    this.#waiting = this.#waiting.slice(-waitingMax)
  }
}
