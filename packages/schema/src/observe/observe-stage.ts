import { type Clock, InvariantError, pass, type Random, type SourcedEvent, type Stage } from '@sluice/core'
import { nextTurn } from '@sluice/core/next-turn'
import { withDefaults } from '@sluice/core/with-defaults'
import type { ModelValues, SchemaDelta } from '../catalogue/schema-delta.ts'
import { defaultSchemaLimits, type SchemaLimits } from '../schema-limits.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import type { OwnedValues } from '../values/owned-values.ts'
import type { ValueCounter, ValueMemory } from '../values/value-counter.ts'
import type { ObservedSource } from './observed-source.ts'
import { Observer } from './observer.ts'

/** A stage that learns the shapes of passing events and drops none. */
export interface ObserveStage extends Stage<SourcedEvent> {
  readonly name: 'observe'
  /** Number of versions that `take` would return. */
  readonly pendingVersions: number
  /** Number of keys that were learnt since the last call of `take`. */
  readonly pendingKeys: number
  /** Characters of the samples that were taken since then; some of them are not wanted any more. */
  readonly pendingCharacters: number
  /** Returns what was seen since the last call. The caller stores it together with the cursor of the events. */
  take(): SchemaDelta
  /**
   * Discards everything held, as in a crash. Call this instead of `take` when the events since the last call will be
   * read again.
   */
  discard(): void
  /** Whether there are counters of values that are not stored. */
  readonly holdsValues: boolean
  /**
   * Ends the counters of values that changed since the last call: they take a tenth of their memory while they wait for
   * `storeValues`.
   */
  setValuesAside(): void
  /**
   * Writes the value counters that changed since the last call, one model at a time, oldest first. Their versions must
   * already be stored. Counters that cannot be written are kept for the next call.
   */
  storeValues(write: (values: ModelValues) => Promise<void>): Promise<void>
  /** Returns copies of the unwritten counters of a model, or of one of its versions, by key path. */
  pendingValues(model: ModelKey, schemaHash?: string): ReadonlyMap<string, ValueCounter>
  /** Sets what may be stored of each source; other sources have the default. Applies from the next event on. */
  configure(sources: readonly ObservedSource[]): void
  /**
   * Removes samples that mention a user and values equal to the user's id, as far as they are not stored yet, including
   * those in the last delta, which may be waiting to be committed.
   */
  forget(identifiers: readonly string[], owned?: OwnedValues): void
}

export interface ObserveStageOptions {
  readonly clock: Clock
  readonly random: Random
  readonly sources?: readonly ObservedSource[]
  /** Overrides of `defaultSchemaLimits`. */
  readonly limits?: Partial<SchemaLimits>
  /** Shared by the stages of a process, so that all counters together stay within `valueMemoryBytesMax`. */
  readonly memory?: ValueMemory
}

/** Steps through events of known shapes between two turns of the event loop: 3 to 10 ms. */
const workPerTurn = 20_000

/**
 * Creates a stage that counts every event of a model under the version of its schema, with the time it was received (or
 * the current time where that is unknown). Events of no model (no `type`, or a track call without a name) pass
 * uncounted.
 *
 * A delta has no workspace, so one stage observes one workspace between two calls of `take`. Memory is limited by the
 * limits and by the events between two calls. A large batch is observed in several turns of the event loop; a `take` in
 * between returns what was observed so far.
 *
 * Some events are only counted, and reported as `countedOnly`: when more is new than may be learnt in a batch or a
 * second (`newKeysPerBatchMax`, `newKeysPerSecondMax`), or when an event has more than 5,000 keys. Those of a model not
 * seen since the start are counted only there. Those of a known model with an unknown shape count in the overflow
 * version of the model, without their keys. Those of a known shape count under its version, without their values.
 *
 * @throws InvariantError from `run` when events of two workspaces arrive without a `take` between them.
 *
 * Sources: packages/docs/behaviour/schemas.md#observing.
 */
export function createObserveStage({ clock, random, sources, limits, memory }: ObserveStageOptions): ObserveStage {
  const observer = new Observer(random, withDefaults(defaultSchemaLimits, limits), memory ?? { bytes: 0 })
  if (sources !== undefined) observer.configure(sources)
  let workspaceId: string | undefined
  /** Steps since the event loop last had a turn. */
  let work = 0
  return {
    name: 'observe',
    async run(batch) {
      // Checked before anything is counted, so that a batch is counted as a whole or not at all.
      for (const item of batch) {
        workspaceId ??= item.workspaceId
        if (item.workspaceId !== workspaceId) throw new InvariantError('observe got events of two workspaces')
      }
      const now = clock.now()
      observer.beginBatch(now, [batch[0]?.receivedAt, batch.at(-1)?.receivedAt])
      for (const item of batch) {
        work += observer.observe(item, item.receivedAt ?? now)
        if (work < workPerTurn) continue
        work = 0
        await turn()
      }
      return batch.map((item) => pass(item))
    },
    get pendingVersions() {
      return observer.pendingVersions
    },
    get pendingKeys() {
      return observer.pendingKeys
    },
    get pendingCharacters() {
      return observer.pendingCharacters
    },
    take: () => {
      workspaceId = undefined
      return observer.take()
    },
    discard: () => {
      workspaceId = undefined
      observer.discard()
    },
    get holdsValues() {
      return observer.holdsValues
    },
    setValuesAside: () => observer.setValuesAside(),
    storeValues: (write) => observer.storeValues(write),
    pendingValues: (model, schemaHash) => observer.pendingValues(model, schemaHash),
    configure: (observed) => observer.configure(observed),
    forget: (identifiers, owned) => observer.forget(identifiers, owned),
  }
}

const turn = (): Promise<void> => new Promise((resolve) => nextTurn(resolve))
