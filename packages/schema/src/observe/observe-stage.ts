import { type Clock, InvariantError, pass, type Random, type SourcedEvent, type Stage } from '@sluice/core'
import type { ModelKey, ModelValues, SchemaDelta } from '../catalogue/schema-delta.ts'
import { defaultSchemaLimits, type SchemaLimits } from '../catalogue/schema-limits.ts'
import type { ObservedSource } from './observed-source.ts'
import { Observer } from './observer.ts'
import type { ValueCounter, ValueMemory } from './value-counter.ts'

/** Learns the shapes of the events that pass; stops none. */
export interface ObserveStage extends Stage<SourcedEvent> {
  readonly name: 'observe'
  /** How many versions `take` would give. */
  readonly pendingVersions: number
  /** What was seen since the last call. The caller stores it together with the cursor it was read at. */
  take(): SchemaDelta
  /**
   * Instead of `take`, when what was seen since the last call is going to be seen again: all that is held is forgotten,
   * as in a crash.
   */
  discard(): void
  /**
   * Writes the counters of values that were filled since the last call, one model at a time, oldest first. Their
   * versions must be stored by then. What cannot be written is kept for the next call.
   */
  storeValues(write: (values: ModelValues) => Promise<void>): Promise<void>
  /** Counters of a model, or of one of its versions, that are not written yet, by key path; copies. */
  pendingValues(model: ModelKey, schemaHash?: string): ReadonlyMap<string, ValueCounter>
  /** Says what may be kept of each source; of sources that are not named, the default. Holds from the next event on. */
  configure(sources: readonly ObservedSource[]): void
  /**
   * Forgets the samples that name a user and values that are the user's id, as far as they are not stored yet; in the
   * last delta too, which may be waiting to be committed.
   */
  forget(userId: string): void
}

export interface ObserveStageOptions {
  readonly clock: Clock
  readonly random: Random
  readonly sources?: readonly ObservedSource[]
  /** What differs from `defaultSchemaLimits`. */
  readonly limits?: Partial<SchemaLimits>
  /** Shared by the stages of a process, so that all counters together stay within `valueMemoryBytesMax`. */
  readonly memory?: ValueMemory
}

/** Steps through events of known shapes until others have their turn: 3 to 10 ms. */
const workPerTurn = 20_000

/**
 * Counts every event that belongs to a model under the version of its schema, seen when it was received (by the clock
 * where that is not known). Events of no model (no `type`, a track call without a name) pass uncounted.
 *
 * A delta carries no workspace, so one stage observes one workspace between two calls of `take`. Memory is bounded by
 * the limits and by what comes between two calls. A large batch is observed in several turns of the event loop; `take`
 * in between gives what was observed so far.
 *
 * When more is new than may be learnt in a batch or a second (`newKeysPerBatchMax`, `newKeysPerSecondMax`), or an
 * event has
 * more than 5,000 keys, events are counted only, and reported as `countedOnly`: those of a model not seen since the
 * start there alone; those of a known model
 * with an unknown shape in the overflow version of the model, without their keys; those of a known shape under its
 * version,
 * without their values.
 *
 * @throws InvariantError from `run` when events of two workspaces come without a `take` between them.
 *
 * Sources: packages/docs/behaviour/schemas.md#observing.
 */
export function createObserveStage({ clock, random, sources, limits, memory }: ObserveStageOptions): ObserveStage {
  const observer = new Observer(random, { ...defaultSchemaLimits, ...limits }, memory ?? { bytes: 0 })
  if (sources !== undefined) observer.configure(sources)
  let workspaceId: string | undefined
  /** Since the event loop had its turn. */
  let work = 0
  return {
    name: 'observe',
    mutatesInput: false,
    async run(batch) {
      // Checked before anything is counted, so that a batch is counted whole or not at all.
      for (const item of batch) {
        workspaceId ??= item.workspaceId
        if (item.workspaceId !== workspaceId) throw new InvariantError('observe was given events of two workspaces')
      }
      const now = clock.now()
      observer.beginBatch(now)
      for (const item of batch) {
        work += observer.observe(item, item.receivedAt ?? now)
        if (work < workPerTurn) continue
        work = 0
        await nextTurn()
      }
      return batch.map((item) => pass(item))
    },
    get pendingVersions() {
      return observer.pendingVersions
    },
    take: () => {
      workspaceId = undefined
      return observer.take()
    },
    discard: () => {
      workspaceId = undefined
      observer.discard()
    },
    storeValues: (write) => observer.storeValues(write),
    pendingValues: (model, schemaHash) => observer.pendingValues(model, schemaHash),
    configure: (observed) => observer.configure(observed),
    forget: (userId) => observer.forget(userId),
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
