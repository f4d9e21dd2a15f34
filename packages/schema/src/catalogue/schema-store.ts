import type { Sample } from '../observe/sample.ts'
import type { ValueCounter } from '../observe/value-counter.ts'
import type { Structure } from '../shapes/structure.ts'
import type { BoundDelta, FlatSchema, ModelKey, ModelValues, SchemaDelta } from './schema-delta.ts'

/** An event model as stored. `schema` unites the schemas of its versions: a key of two types holds both, comma-joined. */
export interface EventModel extends ModelKey {
  /** Row number in order of creation; never changes. */
  readonly id: number
  /** UUID. */
  readonly eventId: string
  /** Milliseconds since the epoch; never changes. */
  readonly createdAt: number
  readonly schema: Readonly<Record<string, string>>
  readonly lastSeen: number
  readonly totalCount: number
}

export interface EventVersion {
  readonly id: number
  /** UUID. */
  readonly versionId: string
  /** The `eventId` of its model. */
  readonly eventModelId: string
  readonly schemaHash: string
  readonly schema: FlatSchema
  readonly firstSeen: number
  readonly lastSeen: number
  readonly totalCount: number
  /** Of the overflow version, which has no schema of its own: how many of its events had a key. */
  readonly keyCounts?: Readonly<Record<string, number>>
}

/** The hash of the version that counts what there is no room for. */
export const overflowHash = 'overflow'

/** A version that was stored for the first time. */
export interface NewVersion extends ModelKey {
  readonly eventId: string
  readonly versionId: string
  readonly schema: FlatSchema
}

/** Where the schema catalogue is kept. Made with `SchemaLimits`: it grows to them and no further. */
export interface SchemaStore {
  /**
   * Adds what was seen to what is stored; unknown models and versions are created, with generated ids. A new key of a
   * version is appended to the model's schema; a key already there with other types gets the new type appended.
   */
  merge(workspaceId: string, delta: SchemaDelta): Promise<void>
  /**
   * Adds counters of values to those of versions and of their model. What belongs to no stored version goes to the
   * overflow version; ignored when there is none.
   */
  mergeValues(workspaceId: string, values: ModelValues): Promise<void>
  /** In order of id; with `writeKey` only that source's. */
  models(workspaceId: string, writeKey?: string): Promise<readonly EventModel[]>
  model(workspaceId: string, eventId: string): Promise<EventModel | undefined>
  /** In order of id; empty for an unknown model. */
  versions(workspaceId: string, eventId: string): Promise<readonly EventVersion[]>
  version(workspaceId: string, versionId: string): Promise<EventVersion | undefined>
  /** Counters of values by key path, of a model (`eventId`) or a version (`versionId`). */
  values(workspaceId: string, id: string): Promise<ReadonlyMap<string, ValueCounter>>
  /** Samples of a model or a version, the lowest rank first. */
  samples(workspaceId: string, id: string): Promise<readonly Sample[]>
  /** How the events of a model are built; undefined for an unknown one. */
  structure(workspaceId: string, eventId: string): Promise<Structure | undefined>
  /** How often limits were met, in order of write key and bound; with `writeKey` only that source's. */
  bounds(workspaceId: string, writeKey?: string): Promise<readonly BoundDelta[]>
  /** Removes the samples that are of one of the users or name one, and their ids where they are counted as values. */
  forget(workspaceId: string, userIds: readonly string[]): Promise<void>
  /** Calls the listener after versions were stored for the first time. @returns how to stop it. */
  watch(listener: (workspaceId: string, versions: readonly NewVersion[]) => void): () => void
}
