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
import { countDays } from './schema-days.ts'
import { type GrownModel, growModels, type ModelRow, openModels } from './schema-models.ts'
import { keepSamples, type VersionSamples } from './schema-samples.ts'
import { countLearnt, countVersions, knownVersions, type OwnedVersion, versionKey } from './schema-versions.ts'

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
    const growths = await sortVersions(db, grown, known)
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
    await growModels(
      db,
      growths.map((growth) => ({
        id: growth.model.id,
        total: growth.model.total_count + sum(growth.versions),
        lastSeen: Math.max(growth.model.last_seen, ...growth.versions.map(({ lastSeen }) => lastSeen)),
        ...grownTexts(growth, bounds),
      })),
    )
    await countDays(
      db,
      growths.map(({ model, versions }) => ({ eventId: model.event_id, versions })),
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
    grown: readonly Pick<Growth, 'model' | 'versions'>[],
    known: ReadonlySet<string>,
  ): Promise<readonly Growth[]> {
    const sorted = grown.map(({ model, versions }) => {
      const learnt = versions.filter(isLearnt)
      const isKnown = ({ schemaHash }: VersionDelta): boolean => known.has(versionKey(model.event_id, schemaHash))
      const fresh = learnt.filter((version) => !isKnown(version))
      return { model, versions, fresh, stored: learnt.filter(isKnown) }
    })
    const ofFresh = sorted.flatMap(({ model, fresh }) => (fresh.length > 0 ? model.event_id : []))
    const versionsOf = await countLearnt(db, ofFresh)
    const roomMax = limits.versionsMax + limits.archivedVersionsMax
    return sorted.map(({ model, versions, fresh, stored }) => {
      const room = Math.max(0, roomMax - (versionsOf.get(model.event_id) ?? 0))
      const created = fresh.slice(0, room)
      const overflow = [...fresh.slice(room), ...versions.filter((version) => !isLearnt(version))]
      return { model, versions, fresh, created, counted: [...stored, ...created], overflow }
    })
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

  /** Returns a model with new keys, and with what was seen of its structure; nothing where both are as before. */
  function grownTexts(
    { model, versions, fresh }: Growth,
    bounds: BoundTally,
  ): Pick<GrownModel, 'schema' | 'structure'> {
    const structures = versions.flatMap(({ structure }) => structure ?? [])
    const united =
      fresh.length > 0 && mergeSchema(JSON.parse(model.schema_json), schemasOf(fresh), limits.keysPerModelMax)
    if (united) bounds.add(model.write_key, 'keysPerModel', united.leftOut)
    const structure =
      structures.length > 0 &&
      uniteStructures([JSON.parse(model.structure_json), ...structures], limits.keysPerModelMax)
    return {
      schema: united ? JSON.stringify(united.schema) : undefined,
      structure: structure ? JSON.stringify(structure) : undefined,
    }
  }
}

const isLearnt = ({ schemaHash }: VersionDelta): boolean => schemaHash !== overflowHash
const owned = ({ event_id: eventId }: ModelRow, versions: readonly VersionDelta[]): readonly OwnedVersion[] =>
  versions.map((version) => ({ eventId, version }))
const sum = (versions: readonly VersionDelta[]): number => versions.reduce((total, { count }) => total + count, 0)
const schemasOf = (versions: readonly VersionDelta[]): readonly FlatSchema[] => versions.map(({ schema }) => schema)
