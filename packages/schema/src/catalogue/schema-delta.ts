import type { SchemaBound } from '../schema-limits.ts'
import type { FlatSchema } from '../shapes/flat-schema.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import type { Structure } from '../shapes/structure.ts'
import type { Sample } from '../values/sample.ts'
import type { ValueCounter } from '../values/value-counter.ts'
import type { DayCount } from './day-counts.ts'

/** Identifies a version. */
export interface VersionKey extends ModelKey {
  /** MD5 in hex of `key:type,` over the keys in byte order. */
  readonly schemaHash: string
}

/**
 * How often one shape of one model was seen. With `overflowHash` and no schema: the number of events of the model whose
 * shape was not stored.
 */
export interface VersionDelta extends VersionKey {
  readonly schema: FlatSchema
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** Events by day; absent where all were seen on the day of the last one. */
  readonly days?: readonly DayCount[]
  /** Samples that may be among those with the lowest ranks. */
  readonly samples?: readonly Sample[]
  /** New information about the structure of these events. */
  readonly structure?: Structure
}

/** How often a limit was reached for a source. */
export interface BoundDelta {
  readonly writeKey: string
  readonly bound: SchemaBound
  readonly count: number
}

/**
 * Everything observed since the last delta. Merging is commutative and associative, so several observers can count into
 * one store. This is exact until a limit of the store is reached; after that, the order decides what still fits.
 */
export interface SchemaDelta {
  readonly versions: readonly VersionDelta[]
  readonly bounds?: readonly BoundDelta[]
}

/** Value counters of a model's versions. Merged separately, because they are approximate and larger. */
export interface ModelValues extends ModelKey {
  readonly versions: readonly VersionValues[]
}

export interface VersionValues {
  readonly schemaHash: string
  /** By key path. */
  readonly counters: ReadonlyMap<string, ValueCounter>
  /** The same as texts that `parseValues` reads, where they are kept so: all of them are to be added. */
  readonly texts?: readonly string[]
}
