import {
  type ModelKey,
  type ModelValues,
  type NewVersion,
  parseValues,
  type SchemaDelta,
  type SchemaStore,
  textOfCounters,
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
    /** As `parseValues` reads them: a thread receives texts in less time than nested lists. All are to be added. */
    readonly texts: readonly string[]
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
    days: (workspaceId, eventId) => rows.days(workspaceId, eventId),
    bounds: (workspaceId, writeKey) => rows.bounds(workspaceId, writeKey),
    forget: (workspaceId, identifiers, owned) => rows.forget(workspaceId, identifiers, owned),
    watch,
  }
}

function packValues({ versions, ...key }: ModelValues): PackedValues {
  return {
    ...key,
    versions: versions.map((version) => ({
      schemaHash: version.schemaHash,
      // A copy: what waits is changed when users are forgotten.
      texts: [...(version.texts ?? [textOfCounters(version.counters)])],
    })),
  }
}

export function unpackValues({ versions, ...key }: PackedValues): ModelValues {
  return {
    ...key,
    versions: versions.flatMap(({ schemaHash, texts }) =>
      texts.map((text) => ({ schemaHash, counters: parseValues(text) })),
    ),
  }
}
