import type { Clock, Random } from '@sluice/core'
import {
  addKeyCounts,
  byModel,
  type FlatSchema,
  mergeSchema,
  modelKeyText,
  type NewVersion,
  overflowHash,
  type SchemaDelta,
  type SchemaLimits,
  sumVersions,
  uniteStructures,
  type VersionDelta,
} from '@sluice/schema'
import type { Db } from '../sql-session.ts'
import { addBounds, BoundTally } from './schema-bounds.ts'
import { countModels, type ModelRow, openModels } from './schema-models.ts'
import { keepSamples, type VersionSamples } from './schema-samples.ts'
import { countVersions, knownVersions, type OwnedVersion, versionKey } from './schema-versions.ts'

interface SchemaMergeOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits: SchemaLimits
}

/** A model with the versions that are added to it, sorted by what happens to them. */
interface Growth {
  readonly model: ModelRow
  readonly versions: readonly VersionDelta[]
  /** Versions that are not stored yet, whether there is room for them or not. */
  readonly fresh: readonly VersionDelta[]
  readonly created: readonly VersionDelta[]
  /** Versions with a row of their own. */
  readonly counted: readonly VersionDelta[]
  /** Versions that are counted in the overflow version. */
  readonly overflow: readonly VersionDelta[]
}

/**
 * Creates the function that adds a delta to the catalogue in a transaction and returns the versions it created. Statements
 * are for all models together: with a database at the end of a network, each one is a round trip.
 */
export function createSchemaMerge({ clock, random, limits }: SchemaMergeOptions) {
  return async (db: Db, workspaceId: string, delta: SchemaDelta): Promise<readonly NewVersion[]> => {
    const bounds = new BoundTally()
    for (const { writeKey, bound, count } of delta.bounds ?? []) bounds.add(writeKey, bound, count)
    const groups = [...byModel(sumVersions(delta, limits.keysPerModelMax))]
    const models = await openModels(
      db,
      { workspaceId, clock, random, limits },
      groups.flatMap(([first]) => first ?? []),
    )
    const grown: { readonly model: ModelRow; readonly versions: readonly VersionDelta[] }[] = []
    for (const versions of groups) {
      const [first] = versions
      if (first === undefined) continue
      const model = models.get(modelKeyText(first))
      if (model === undefined) bounds.add(first.writeKey, 'modelsOverflow', sum(versions))
      else grown.push({ model, versions })
    }
    const learnt = grown.flatMap(({ model, versions }) => owned(model, versions.filter(isLearnt)))
    const known = await knownVersions(db, learnt)
    const growths: Growth[] = []
    for (const each of grown) growths.push(await sortVersions(db, each.model, each.versions, known))
    const ids = await countVersions(
      db,
      random,
      growths.flatMap(({ model, counted }) => owned(model, counted)),
      known,
    )
    const samples: VersionSamples[] = []
    for (const { model, versions, overflow } of growths) {
      const overflowId = await countOverflow(db, model, overflow, bounds)
      for (const version of versions) {
        const versionId = ids.get(versionKey(model.event_id, version.schemaHash)) ?? overflowId
        if (versionId !== undefined && version.samples !== undefined)
          samples.push({ versionId, samples: version.samples })
      }
    }
    await keepSamples(db, samples, limits.samplesMax)
    for (const growth of growths) await growModel(db, growth, bounds)
    await countModels(
      db,
      growths.map(({ model, versions }) => ({
        id: model.id,
        total: model.total_count + sum(versions),
        lastSeen: Math.max(model.last_seen, ...versions.map(({ lastSeen }) => lastSeen)),
      })),
    )
    await addBounds(db, workspaceId, bounds.deltas())
    return growths.flatMap(({ model, created }) =>
      created.map(({ writeKey, eventType, eventIdentifier, schemaHash, schema }) => {
        const versionId = ids.get(versionKey(model.event_id, schemaHash))
        if (versionId === undefined) throw new Error('a version was added and has no id')
        return { writeKey, eventType, eventIdentifier, schema, eventId: model.event_id, versionId }
      }),
    )
  }

  async function sortVersions(
    db: Db,
    model: ModelRow,
    versions: readonly VersionDelta[],
    known: ReadonlySet<string>,
  ): Promise<Growth> {
    const isKnown = ({ schemaHash }: VersionDelta): boolean => known.has(versionKey(model.event_id, schemaHash))
    const learnt = versions.filter(isLearnt)
    const fresh = learnt.filter((version) => !isKnown(version))
    const room = fresh.length === 0 ? 0 : await roomForVersions(db, model.event_id)
    const created = fresh.slice(0, room)
    const counted = [...learnt.filter(isKnown), ...created]
    const overflow = [...fresh.slice(room), ...versions.filter((version) => !isLearnt(version))]
    return { model, versions, fresh, created, counted, overflow }
  }

  async function roomForVersions(db: Db, eventId: string): Promise<number> {
    const { versions } = await db
      .selectFrom('schema_version')
      .select((eb) => eb.fn.countAll<number>().as('versions'))
      .where('event_model_id', '=', eventId)
      .where('schema_hash', '!=', overflowHash)
      .executeTakeFirstOrThrow()
    return Math.max(0, limits.versionsMax + limits.archivedVersionsMax - versions)
  }

  /** @returns the id of the overflow version, undefined when nothing was counted there. */
  async function countOverflow(
    db: Db,
    model: ModelRow,
    versions: readonly VersionDelta[],
    bounds: BoundTally,
  ): Promise<string | undefined> {
    const [first] = versions
    if (first === undefined) return undefined
    const all: VersionDelta = {
      ...first,
      schemaHash: overflowHash,
      schema: {},
      count: sum(versions),
      firstSeen: Math.min(...versions.map(({ firstSeen }) => firstSeen)),
      lastSeen: Math.max(...versions.map(({ lastSeen }) => lastSeen)),
    }
    bounds.add(model.write_key, 'versionsOverflow', all.count)
    const known = await db
      .selectFrom('schema_version')
      .select('key_counts_json')
      .where('event_model_id', '=', model.event_id)
      .where('schema_hash', '=', overflowHash)
      .executeTakeFirst()
    const key = versionKey(model.event_id, overflowHash)
    const knownKeys = new Set(known === undefined ? [] : [key])
    const id = (await countVersions(db, random, owned(model, [all]), knownKeys)).get(key)
    if (id === undefined) throw new Error('the overflow version was counted and has no id')
    const counts = new Map<string, number>(Object.entries(JSON.parse(known?.key_counts_json ?? '{}')))
    for (const { schema, count } of versions)
      bounds.add(model.write_key, 'keysPerModel', addKeyCounts(counts, schema, count, limits.keysPerModelMax))
    const key_counts_json = JSON.stringify(Object.fromEntries(counts))
    await db.updateTable('schema_version').set({ key_counts_json }).where('version_id', '=', id).execute()
    return id
  }

  /** Adds new keys to the schema of a model, and what was seen to its structure. */
  async function growModel(db: Db, { model, versions, fresh }: Growth, bounds: BoundTally): Promise<void> {
    const structures = versions.flatMap(({ structure }) => structure ?? [])
    if (fresh.length === 0 && structures.length === 0) return
    const united = mergeSchema(
      fresh.length > 0 ? JSON.parse(model.schema_json) : {},
      schemasOf(fresh),
      limits.keysPerModelMax,
    )
    bounds.add(model.write_key, 'keysPerModel', united.leftOut)
    const structure =
      structures.length > 0 &&
      uniteStructures([JSON.parse(model.structure_json), ...structures], limits.keysPerModelMax)
    await db
      .updateTable('event_model')
      .set({
        schema_json: fresh.length > 0 ? JSON.stringify(united.schema) : undefined,
        structure_json: structure ? JSON.stringify(structure) : undefined,
      })
      .where('id', '=', model.id)
      .execute()
  }
}

const isLearnt = ({ schemaHash }: VersionDelta): boolean => schemaHash !== overflowHash
const owned = ({ event_id: eventId }: ModelRow, versions: readonly VersionDelta[]): readonly OwnedVersion[] =>
  versions.map((version) => ({ eventId, version }))
const sum = (versions: readonly VersionDelta[]): number => versions.reduce((total, { count }) => total + count, 0)
const schemasOf = (versions: readonly VersionDelta[]): readonly FlatSchema[] => versions.map(({ schema }) => schema)
