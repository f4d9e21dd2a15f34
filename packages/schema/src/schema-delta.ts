/** Type names as served: every number is float64. Source: governance facts 1.3. */
export type SchemaTypeName = 'string' | 'float64' | 'bool'

/** Dotted key path to type name, in the byte order of the paths. */
export type FlatSchema = Readonly<Record<string, SchemaTypeName>>

/** What distinguishes event models. `eventIdentifier` is the event name of a track call and '' otherwise. */
export interface ModelKey {
  readonly writeKey: string
  readonly eventType: string
  readonly eventIdentifier: string
}

/** How often one shape of one model was seen. */
export interface VersionDelta extends ModelKey {
  /** MD5, hex, of `key:type,` over the keys in byte order. */
  readonly schemaHash: string
  readonly schema: FlatSchema
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly firstSeen: number
  readonly lastSeen: number
}

/**
 * What was seen since the last delta was taken. Merging is commutative and associative, so several observers can count
 * into one store.
 */
export interface SchemaDelta {
  readonly versions: readonly VersionDelta[]
}
