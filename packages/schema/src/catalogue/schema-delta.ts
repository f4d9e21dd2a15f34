import type { Sample } from '../observe/sample.ts'
import type { ValueCounter } from '../observe/value-counter.ts'
import type { Structure } from '../shapes/structure.ts'
import type { SchemaBound } from './schema-limits.ts'

/** Type names as served: every number is float64. Source: packages/docs/behaviour/schemas.md#types. */
export type SchemaTypeName = 'string' | 'float64' | 'bool'

/** Dotted key path to type name, in the byte order of the paths. */
export type FlatSchema = Readonly<Record<string, SchemaTypeName>>

/** What distinguishes event models. `eventIdentifier` is the event name of a track call and '' otherwise. */
export interface ModelKey {
  readonly writeKey: string
  readonly eventType: string
  readonly eventIdentifier: string
}

/** What distinguishes versions. */
export interface VersionKey extends ModelKey {
  /** MD5, hex, of `key:type,` over the keys in byte order. */
  readonly schemaHash: string
}

/**
 * How often one shape of one model was seen. With `overflowHash` and no schema: how many events of the model were
 * counted
 * whose shape was not learnt.
 */
export interface VersionDelta extends VersionKey {
  readonly schema: FlatSchema
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** Those that may belong to the lowest ranks. */
  readonly samples?: readonly Sample[]
  /** What was not told before of how these events are built. */
  readonly structure?: Structure
}

/** How often a limit kept something of a source from being learnt. */
export interface BoundDelta {
  readonly writeKey: string
  readonly bound: SchemaBound
  readonly count: number
}

/**
 * What was seen since the last delta was taken. Merging is commutative and associative, so several observers can count
 * into one store: exactly, until a limit of the store is reached; from then on it depends on the order who has room.
 */
export interface SchemaDelta {
  readonly versions: readonly VersionDelta[]
  readonly bounds?: readonly BoundDelta[]
}

/** Counters of the values of versions of one model, merged apart from the rest: they are not exact, and larger. */
export interface ModelValues extends ModelKey {
  readonly versions: readonly VersionValues[]
}

export interface VersionValues {
  readonly schemaHash: string
  /** By key path. */
  readonly counters: ReadonlyMap<string, ValueCounter>
}
