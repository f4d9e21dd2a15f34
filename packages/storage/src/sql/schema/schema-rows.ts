import {
  type ModelKey,
  type ModelValues,
  type NewVersion,
  parseValues,
  type SchemaDelta,
  type SchemaStore,
  type StoredCounter,
  ValueCounter,
} from '@sluice/schema'
import type { VersionWatchers } from '../../version-watchers.ts'

/** The promises of `SchemaStore` in plain data, which can be passed between threads. */
export interface SchemaRows extends Omit<SchemaStore, 'watch' | 'merge' | 'mergeValues' | 'values'> {
  /** @returns the versions stored for the first time. */
  merge(workspaceId: string, delta: SchemaDelta, writeId?: string): Promise<readonly NewVersion[]>
  mergeValues(workspaceId: string, values: PackedValues): Promise<void>
  /** Returns the counters of a model or version as JSON text, undefined when it has none. */
  valuesJson(workspaceId: string, id: string): Promise<string | undefined>
}

/** `ModelValues` with counters as they are stored. */
interface PackedValues extends ModelKey {
  readonly versions: readonly {
    readonly schemaHash: string
    readonly counters: readonly (readonly [string, StoredCounter])[]
  }[]
}

export function createRowSchemaStore(rows: SchemaRows, { watch, notify }: VersionWatchers): SchemaStore {
  return {
    merge: async (workspaceId, delta, writeId) => notify(workspaceId, await rows.merge(workspaceId, delta, writeId)),
    mergeValues: (workspaceId, values) => rows.mergeValues(workspaceId, packValues(values)),
    models: (workspaceId, writeKey) => rows.models(workspaceId, writeKey),
    model: (workspaceId, eventId) => rows.model(workspaceId, eventId),
    versions: (workspaceId, eventId) => rows.versions(workspaceId, eventId),
    version: (workspaceId, versionId) => rows.version(workspaceId, versionId),
    values: async (workspaceId, id) => parseValues(await rows.valuesJson(workspaceId, id)),
    samples: (workspaceId, id) => rows.samples(workspaceId, id),
    samplesOf: (workspaceId, userId) => rows.samplesOf(workspaceId, userId),
    structure: (workspaceId, eventId) => rows.structure(workspaceId, eventId),
    bounds: (workspaceId, writeKey) => rows.bounds(workspaceId, writeKey),
    forget: (workspaceId, identifiers, owned) => rows.forget(workspaceId, identifiers, owned),
    watch,
  }
}

function packValues({ versions, ...key }: ModelValues): PackedValues {
  return {
    ...key,
    versions: versions.map(({ schemaHash, counters }) => ({
      schemaHash,
      counters: [...counters].map(([path, counter]) => [path, counter.toStored()] as const),
    })),
  }
}

export function unpackValues({ versions, ...key }: PackedValues): ModelValues {
  return {
    ...key,
    versions: versions.map(({ schemaHash, counters }) => ({
      schemaHash,
      counters: new Map(counters.map(([path, stored]) => [path, ValueCounter.fromStored(stored)])),
    })),
  }
}
