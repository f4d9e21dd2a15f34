import type { Clock } from '@sluice/core'
import type { ObserveStage } from '@sluice/schema'
import type { CountDelta } from './counters.ts'
import type { Store } from './store.ts'

/** How long what was learnt may wait to be stored: it is not durable anyway before its sender counts it as done. */
const paceMs = 500
const storeValuesEveryMs = 10_000

export interface DirectRecordsOptions {
  readonly workspaceId: string
  readonly store: Pick<Store, 'counters' | 'schema'>
  readonly observe: ObserveStage
  readonly clock: Clock
  onError(error: unknown): void
}

/**
 * Stores what was counted and observed of batches that came without a log, for many batches at a time. What cannot be
 * stored is kept and stored with what comes next. A crash loses the last half second of it.
 */
export class DirectRecords {
  readonly #options: DirectRecordsOptions
  #counts: CountDelta[] = []
  #storing: Promise<void> | undefined
  #stopping = new AbortController()
  #valuesStoredAt: number

  constructor(options: DirectRecordsOptions) {
    this.#options = options
    this.#valuesStoredAt = options.clock.now()
  }

  /** Counts a batch; what its events looks like is in the observe stage already. */
  add(counts: readonly CountDelta[]): void {
    this.#counts.push(...counts)
    this.#storing ??= this.#storeSoon()
  }

  /** Stores what there is, at once. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#storing
    await this.#store(true).catch(this.#options.onError)
  }

  async #storeSoon(): Promise<void> {
    const { clock, onError } = this.#options
    await clock.sleep(paceMs, this.#stopping.signal)
    this.#storing = undefined
    try {
      await this.#store(false)
    } catch (error) {
      onError(error)
      if (!this.#stopping.signal.aborted) this.#storing ??= this.#storeSoon()
    }
  }

  async #store(withValues: boolean): Promise<void> {
    const { workspaceId, store, observe, clock } = this.#options
    const counts = this.#counts
    this.#counts = []
    try {
      if (counts.length > 0) await store.counters.add(counts)
    } catch (error) {
      this.#counts.unshift(...counts)
      throw error
    }
    if (observe.pendingVersions > 0) await store.schema.merge(workspaceId, observe.take())
    if (!withValues && clock.now() - this.#valuesStoredAt < storeValuesEveryMs) return
    this.#valuesStoredAt = clock.now()
    await observe.storeValues((values) => store.schema.mergeValues(workspaceId, values))
  }
}
