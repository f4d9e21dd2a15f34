import type { Clock } from '@sluice/core'
import type { ObserveStage, SchemaDelta } from '@sluice/schema'
import { CountTally } from '../insight/count-tally.ts'
import type { CountDelta } from '../ports/counter-store.ts'
import type { Store } from '../ports/store.ts'

/** How long what was learnt may wait to be stored: it is not durable anyway before its sender counts it as done. */
const paceMs = 500
const storeValuesEveryMs = 10_000
/** Shapes that may wait while what was seen before cannot be stored; their samples take memory. */
const waitingVersionsMax = 1_000

/** What is written of a store: everything learnt from batches without a log. */
export interface DirectStore {
  readonly counters: Pick<Store['counters'], 'add'>
  readonly schema: Pick<Store['schema'], 'merge' | 'mergeValues'>
}

export interface DirectRecordsOptions {
  readonly workspaceId: string
  readonly store: DirectStore
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
  #tally: CountTally
  /** Taken from the observe stage, and not stored yet. */
  #delta: SchemaDelta | undefined
  #storing: Promise<void> | undefined
  #stopping = new AbortController()
  #valuesStoredAt: number

  constructor(options: DirectRecordsOptions) {
    this.#options = options
    this.#tally = new CountTally(options.workspaceId)
    this.#valuesStoredAt = options.clock.now()
  }

  /** Counts a batch; what its events looks like is in the observe stage already. */
  add(counts: readonly CountDelta[]): void {
    this.#count(counts)
    this.#storing ??= this.#storeSoon()
  }

  /** Whether so much waits for a store that fails that no more should be observed. */
  get isFull(): boolean {
    return this.#delta !== undefined && this.#options.observe.pendingVersions >= waitingVersionsMax
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
    const counts = this.#tally.deltas()
    this.#tally = new CountTally(workspaceId)
    try {
      if (counts.length > 0) await store.counters.add(counts)
    } catch (error) {
      this.#count(counts)
      throw error
    }
    while (this.#delta || observe.pendingVersions > 0) {
      this.#delta ??= observe.take()
      await store.schema.merge(workspaceId, this.#delta)
      this.#delta = undefined
    }
    if (!withValues && clock.now() - this.#valuesStoredAt < storeValuesEveryMs) return
    this.#valuesStoredAt = clock.now()
    await observe.storeValues((values) => store.schema.mergeValues(workspaceId, values))
  }

  #count(counts: readonly CountDelta[]): void {
    for (const { sourceId, destinationId, kind, reason, count } of counts)
      this.#tally.add(sourceId, destinationId, kind, reason, count)
  }
}
