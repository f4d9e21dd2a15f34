import { type Clock, type Random, uuidV4 } from '@sluice/core'
import type { ObserveStage, SchemaDelta } from '@sluice/schema'
import type { Store } from '../ports/store.ts'
import type { CountDelta } from '../ports/stores/counter-store.ts'
import { CountTally } from '../reports/counts/count-tally.ts'

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

interface DirectRecordsOptions {
  readonly workspaceId: string
  readonly store: DirectStore
  readonly observe: ObserveStage
  readonly clock: Clock
  /** Source of the ids of writes. */
  readonly random: Random
  onError(error: unknown): void
}

/**
 * Stores what was counted and observed of batches that came without a log, for many batches at a time. What cannot be
 * stored is kept and stored with what comes next. A crash loses the last half second of it.
 */
export class DirectRecords {
  readonly #options: DirectRecordsOptions
  #tally: CountTally
  /** Taken from the tally and the observe stage, and not stored yet, as far as is known. */
  #counts: Unstored<readonly CountDelta[]> | undefined
  #delta: Unstored<SchemaDelta> | undefined
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
    // What could not be stored is stored as it was, before what has come since.
    while (this.#counts || !this.#tally.isEmpty) {
      this.#counts ??= this.#unstored(this.#takeCounts())
      await store.counters.add(this.#counts.data, this.#counts.writeId)
      this.#counts = undefined
    }
    while (this.#delta || observe.pendingVersions > 0) {
      this.#delta ??= this.#unstored(observe.take())
      await store.schema.merge(workspaceId, this.#delta.data, this.#delta.writeId)
      this.#delta = undefined
    }
    if (!withValues && clock.now() - this.#valuesStoredAt < storeValuesEveryMs) return
    this.#valuesStoredAt = clock.now()
    await observe.storeValues((values) => store.schema.mergeValues(workspaceId, values))
  }

  #takeCounts(): readonly CountDelta[] {
    const counts = this.#tally.deltas()
    this.#tally = new CountTally(this.#options.workspaceId)
    return counts
  }

  #unstored<Data>(data: Data): Unstored<Data> {
    return { data, writeId: uuidV4(this.#options.random) }
  }

  #count(counts: readonly CountDelta[]): void {
    for (const { sourceId, destinationId, kind, reason, count, named } of counts)
      if (named === undefined) this.#tally.add(sourceId, destinationId, kind, reason, count)
      else this.#tally.addNamed(sourceId, destinationId, kind, { reason, named, count })
  }
}

/** What is to be stored, with the id of the write: when its answer is lost, it is stored once nevertheless. */
interface Unstored<Data> {
  readonly data: Data
  readonly writeId: string
}
