import type { FlatSchema } from '../shapes/flat-schema.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import type { Structure } from '../shapes/structure.ts'
import type { OwnedValues } from '../values/owned-values.ts'
import type { Sample } from '../values/sample.ts'
import type { ValueCounter } from '../values/value-counter.ts'
import type { DayCount } from './day-counts.ts'
import type { BoundDelta, ModelValues, SchemaDelta } from './schema-delta.ts'

/**
 * An event model as stored. `schema` combines the schemas of its versions; a key with two types has both, joined by a
 * comma.
 */
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
  /** For the overflow version, which has no schema of its own: how many of its events had each key. */
  readonly keyCounts?: Readonly<Record<string, number>>
}

/** Hash of the overflow version, which counts events beyond the limits. */
export const overflowHash = 'overflow'

/** A version that was stored for the first time. */
export interface NewVersion extends ModelKey {
  readonly eventId: string
  readonly versionId: string
  readonly schema: FlatSchema
}

/** Stores the schema catalogue, within the `SchemaLimits` it was created with. */
export interface SchemaStore {
  /**
   * Adds a delta to the stored data. Creates unknown models and versions with generated ids. New keys of a version are
   * appended to the model's schema; for a key that exists with other types, the new type is appended.
   * @param writeId of a call that is tried again until it succeeds: its delta is added once.
   */
  merge(workspaceId: string, delta: SchemaDelta, writeId?: string): Promise<void>
  /**
   * Adds value counters to those of versions and of their model. Counters of an unknown version go to the overflow
   * version, or are ignored when there is none.
   */
  mergeValues(workspaceId: string, values: ModelValues): Promise<void>
  /** Lists models ordered by id, of one source if `writeKey` is given. */
  models(workspaceId: string, writeKey?: string): Promise<readonly EventModel[]>
  model(workspaceId: string, eventId: string): Promise<EventModel | undefined>
  /** Lists versions ordered by id; empty for an unknown model. */
  versions(workspaceId: string, eventId: string): Promise<readonly EventVersion[]>
  version(workspaceId: string, versionId: string): Promise<EventVersion | undefined>
  /** Returns value counters by key path, of a model (`eventId`) or a version (`versionId`). */
  values(workspaceId: string, id: string): Promise<ReadonlyMap<string, ValueCounter>>
  /** Returns samples of a model or a version, the lowest rank first. */
  samples(workspaceId: string, id: string): Promise<readonly Sample[]>
  /** Returns how many samples are of events that a user caused. */
  samplesOf(workspaceId: string, userId: string): Promise<number>
  /** Returns the structure of a model's events; undefined for an unknown model. */
  structure(workspaceId: string, eventId: string): Promise<Structure | undefined>
  /** Returns the events of a model by day, oldest first: at most `daysMax` days up to the newest, none for an unknown model. */
  days(workspaceId: string, eventId: string): Promise<readonly DayCount[]>
  /** Returns how often limits were reached, ordered by write key and limit, of one source if `writeKey` is given. */
  bounds(workspaceId: string, writeKey?: string): Promise<readonly BoundDelta[]>
  /**
   * Removes every sample and counted value that equals or contains an identifier of a user, and every counted value that
   * was not seen more often than users had it; see `createMentions`.
   */
  forget(workspaceId: string, identifiers: readonly string[], owned?: OwnedValues): Promise<void>
  /**
   * Calls the listener after versions were stored for the first time. @returns a function that removes the listener.
   */
  watch(listener: (workspaceId: string, versions: readonly NewVersion[]) => void): () => void
}
