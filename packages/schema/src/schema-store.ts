import type { FlatSchema, ModelKey, SchemaDelta } from './schema-delta.ts'

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
  readonly schema: FlatSchema
  readonly firstSeen: number
  readonly lastSeen: number
  readonly totalCount: number
}

/** Where the schema catalogue is kept. */
export interface SchemaStore {
  /**
   * Adds what was seen to what is stored; unknown models and versions are created, with generated ids. A new key of a
   * version is appended to the model's schema; a key already there with other types gets the new type appended.
   */
  merge(workspaceId: string, delta: SchemaDelta): Promise<void>
  /** In order of id; with `writeKey` only that source's. */
  models(workspaceId: string, writeKey?: string): Promise<readonly EventModel[]>
  /** In order of id; empty for an unknown model. */
  versions(workspaceId: string, eventId: string): Promise<readonly EventVersion[]>
}
