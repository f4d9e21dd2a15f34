import type { JsonObject } from '@sluice/core'
import { defaultSchemaLimits } from '../schema-limits.ts'
import { compareCodePoints } from '../shapes/compare-code-points.ts'
import type { FlatSchema } from '../shapes/flat-schema.ts'
import type { ModelKey } from '../shapes/model-key.ts'
import { toJsonSchema } from '../shapes/structure.ts'
import { createMentions } from '../values/mentions.ts'
import type { OwnedValues } from '../values/owned-values.ts'
import { isSampleOf } from '../values/sample.ts'
import { type FrequentValue, ValueCounter } from '../values/value-counter.ts'
import type { DayCount } from './day-counts.ts'
import { driftOf, type ModelDrift } from './drift.ts'
import type { BoundDelta } from './schema-delta.ts'
import { type EventModel, type EventVersion, overflowHash, type SchemaStore } from './schema-store.ts'

/** Information about a model or version besides its shape. */
export interface SchemaMetadata {
  readonly sampledEvents: readonly JsonObject[]
  readonly totalCount: number
  /** By key path, in byte order. Keys without a frequent value are absent. */
  readonly frequentValues: Readonly<Record<string, readonly FrequentValue[]>>
}

/** Differences between two versions, each list in byte order of the paths. */
export interface VersionDiff {
  readonly added: Readonly<Record<string, string>>
  readonly removed: Readonly<Record<string, string>>
  readonly changed: Readonly<Record<string, { readonly from: string; readonly to: string }>>
}

/**
 * Read access to the catalogue. Results are ordered: records by id, keys by code point. Unknown ids result in
 * undefined. Source: packages/docs/api/governance.md and
 * packages/docs/behaviour/schemas.md#key-counts-and-missing-keys.
 */
export interface Catalogue {
  models(workspaceId: string, writeKey?: string): Promise<readonly EventModel[]>
  versions(workspaceId: string, eventId: string): Promise<readonly EventVersion[] | undefined>
  modelMetadata(workspaceId: string, eventId: string): Promise<SchemaMetadata | undefined>
  versionMetadata(workspaceId: string, versionId: string): Promise<SchemaMetadata | undefined>
  /** Returns the events of a model by day, oldest first; days without events are left out. */
  days(workspaceId: string, eventId: string): Promise<readonly DayCount[]>
  /** Returns how many events of a model had each key. Null values do not count. */
  keyCounts(workspaceId: string, eventId: string): Promise<Readonly<Record<string, number>> | undefined>
  /** Returns the keys of the model that a version lacks. */
  missingKeys(workspaceId: string, versionId: string): Promise<readonly string[] | undefined>
  /** Returns a JSON Schema (draft 2020-12) that accepts every event of the model seen so far. */
  jsonSchema(workspaceId: string, eventId: string): Promise<JsonObject | undefined>
  /**
   * Returns the differences between two versions of a model. The overflow version has no shape and cannot be compared.
   */
  diff(workspaceId: string, eventId: string, from: string, to: string): Promise<VersionDiff | undefined>
  /**
   * Returns what is new at each event since a time, in milliseconds since the epoch: events, versions, keys and types. Events
   * with nothing new are left out.
   */
  drift(workspaceId: string, since: number, writeKey?: string): Promise<readonly ModelDrift[]>
  /** Returns how often each limit was reached. */
  bounds(workspaceId: string, writeKey?: string): Promise<readonly BoundDelta[]>
  /**
   * Removes every sample and every counted value that equals or contains an identifier of a user, such as the userId or
   * an e-mail address. Identifiers of fewer than four characters count only where no letter or digit is beside them.
   * Counts of events and names of keys stay.
   * @param owned what the events of the users had, where that is known: values that were not seen more often go, too.
   */
  forget(workspaceId: string, identifiers: readonly string[], owned?: OwnedValues): Promise<void>
  /** Counts what `forget` would remove. Reads the whole catalogue of a workspace. */
  mentioning(workspaceId: string, identifiers: readonly string[]): Promise<CatalogueMentions>
}

/** What the catalogue has of a user. */
export interface CatalogueMentions {
  readonly samples: number
  /** Counted values, by model, version and key. */
  readonly values: number
}

/** What an observer of this process has learnt and not stored yet; see `ObserveStage`. */
interface UnstoredValues {
  pendingValues(model: ModelKey, schemaHash?: string): ReadonlyMap<string, ValueCounter>
  forget(identifiers: readonly string[], owned?: OwnedValues): void
}

interface CatalogueOptions {
  readonly store: SchemaStore
  /** Adds counts of this process that are not stored yet. */
  readonly observers: { all(workspaceId: string): readonly UnstoredValues[] }
  /** Length at which values are cut; default that of `defaultSchemaLimits`. */
  readonly valueLengthMax?: number
}

export function createCatalogue({
  store,
  observers,
  valueLengthMax = defaultSchemaLimits.valueLengthMax,
}: CatalogueOptions): Catalogue {
  /** Returns the stored counters, and those of this process that are not stored yet, by key path. */
  const countersOf = async (
    workspaceId: string,
    id: string,
    model: ModelKey,
    schemaHash?: string,
  ): Promise<ReadonlyMap<string, ValueCounter>> => {
    const counters = new Map(await store.values(workspaceId, id))
    for (const observer of observers.all(workspaceId))
      for (const [path, pending] of observer.pendingValues(model, schemaHash)) {
        const counter = counters.get(path) ?? new ValueCounter()
        counter.merge(pending)
        counters.set(path, counter)
      }
    return counters
  }

  const metadata = async (
    workspaceId: string,
    id: string,
    { totalCount }: { readonly totalCount: number },
    model: ModelKey,
    schemaHash?: string,
  ): Promise<SchemaMetadata> => {
    const counters = await countersOf(workspaceId, id, model, schemaHash)
    const listed = inOrder(counters).flatMap(([path, counter]): [string, readonly FrequentValue[]][] => {
      const frequent = counter.frequent()
      return frequent.length > 0 ? [[path, frequent]] : []
    })
    const samples = await store.samples(workspaceId, id)
    return {
      sampledEvents: samples.map(({ text }) => JSON.parse(text)),
      totalCount,
      frequentValues: Object.fromEntries(listed),
    }
  }

  return {
    models: async (workspaceId, writeKey) => {
      const models = await store.models(workspaceId, writeKey)
      return models.map((model) => ({ ...model, schema: Object.fromEntries(inOrder(Object.entries(model.schema))) }))
    },
    days: (workspaceId, eventId) => store.days(workspaceId, eventId),
    versions: async (workspaceId, eventId) => {
      const versions = await store.versions(workspaceId, eventId)
      // A model has at least one version from the moment it is stored.
      return versions.length > 0 ? versions : undefined
    },
    modelMetadata: async (workspaceId, eventId) => {
      const model = await store.model(workspaceId, eventId)
      return model && metadata(workspaceId, eventId, model, model)
    },
    versionMetadata: async (workspaceId, versionId) => {
      const version = await store.version(workspaceId, versionId)
      const model = version && (await store.model(workspaceId, version.eventModelId))
      return model && metadata(workspaceId, versionId, version, model, version.schemaHash)
    },
    keyCounts: async (workspaceId, eventId) => {
      const counts = new Map<string, number>()
      const versions = await store.versions(workspaceId, eventId)
      if (versions.length === 0) return undefined
      for (const { schema, totalCount, keyCounts } of versions) {
        for (const key of Object.keys(schema)) counts.set(key, (counts.get(key) ?? 0) + totalCount)
        for (const [key, count] of Object.entries(keyCounts ?? {})) counts.set(key, (counts.get(key) ?? 0) + count)
      }
      return Object.fromEntries(inOrder(counts))
    },
    missingKeys: async (workspaceId, versionId) => {
      const version = await store.version(workspaceId, versionId)
      const model = version && (await store.model(workspaceId, version.eventModelId))
      if (model === undefined || version === undefined) return undefined
      const present = new Set(Object.keys(keysOf(version)))
      return Object.keys(model.schema)
        .filter((key) => !present.has(key))
        .sort(compareCodePoints)
    },
    jsonSchema: async (workspaceId, eventId) => {
      const model = await store.model(workspaceId, eventId)
      const structure = model && (await store.structure(workspaceId, eventId))
      if (model === undefined || structure === undefined) return undefined
      return toJsonSchema(structure, { title: model.eventIdentifier || model.eventType })
    },
    diff: async (workspaceId, eventId, from, to) => {
      const all = await store.versions(workspaceId, eventId)
      const versions = all.filter(({ schemaHash }) => schemaHash !== overflowHash)
      const before = versions.find(({ versionId }) => versionId === from)
      const after = versions.find(({ versionId }) => versionId === to)
      return before && after && diffOf(before.schema, after.schema)
    },
    drift: async (workspaceId, since, writeKey) => {
      const drifts: ModelDrift[] = []
      for (const model of await store.models(workspaceId, writeKey)) {
        // What was not seen since then has nothing new.
        if (model.lastSeen < since) continue
        const drift = driftOf(model, await store.versions(workspaceId, model.eventId), since)
        if (drift) drifts.push(drift)
      }
      return drifts
    },
    bounds: (workspaceId, writeKey) => store.bounds(workspaceId, writeKey),
    forget: async (workspaceId, identifiers, owned) => {
      for (const observer of observers.all(workspaceId)) observer.forget(identifiers, owned)
      await store.forget(workspaceId, identifiers, owned)
    },
    mentioning: async (workspaceId, identifiers) => {
      const mentions = createMentions(identifiers, valueLengthMax)
      let [samples, values] = [0, 0]
      const count = async (id: string, model: ModelKey, hash?: string): Promise<void> => {
        const counters = await countersOf(workspaceId, id, model, hash)
        for (const counter of counters.values()) values += counter.countMentions(mentions)
      }
      for (const model of await store.models(workspaceId)) {
        await count(model.eventId, model)
        for (const { versionId, schemaHash } of await store.versions(workspaceId, model.eventId)) {
          await count(versionId, model, schemaHash)
          const sampled = await store.samples(workspaceId, versionId)
          samples += sampled.filter((sample) => isSampleOf(sample, mentions)).length
        }
      }
      return { samples, values }
    },
  }
}

/** For the overflow version: the keys that any of its events had. */
const keysOf = ({ schema, schemaHash, keyCounts }: EventVersion): Readonly<Record<string, unknown>> =>
  schemaHash === overflowHash ? (keyCounts ?? {}) : schema

function diffOf(before: FlatSchema, after: FlatSchema): VersionDiff {
  const from = new Map(Object.entries(before))
  const to = new Map(Object.entries(after))
  const changed = [...to].flatMap(([path, type]): [string, { from: string; to: string }][] => {
    const old = from.get(path)
    return old === undefined || old === type ? [] : [[path, { from: old, to: type }]]
  })
  return {
    added: Object.fromEntries(inOrder(new Map([...to].filter(([path]) => !from.has(path))))),
    removed: Object.fromEntries(inOrder(new Map([...from].filter(([path]) => !to.has(path))))),
    changed: Object.fromEntries(inOrder(new Map(changed))),
  }
}

function inOrder<Value>(entries: Iterable<[string, Value]>): [string, Value][] {
  return [...entries].sort(([a], [b]) => compareCodePoints(a, b))
}
