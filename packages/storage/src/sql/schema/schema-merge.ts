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
import { type ModelRow, openModels } from './schema-models.ts'
import { keepSamples } from './schema-samples.ts'
import { countVersions, knownHashesOf } from './schema-versions.ts'

export interface SchemaMergeOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits: SchemaLimits
}

/** Creates the function that adds a delta to the catalogue in a transaction and returns the versions it created. */
export function createSchemaMerge({ clock, random, limits }: SchemaMergeOptions) {
  return async (db: Db, workspaceId: string, delta: SchemaDelta): Promise<readonly NewVersion[]> => {
    const bounds = new BoundTally()
    for (const { writeKey, bound, count } of delta.bounds ?? []) bounds.add(writeKey, bound, count)
    const created: NewVersion[] = []
    const groups = [...byModel(sumVersions(delta, limits.keysPerModelMax))]
    const models = await openModels(
      db,
      { workspaceId, clock, random, limits },
      groups.flatMap(([first]) => first ?? []),
    )
    for (const versions of groups) {
      const [first] = versions
      if (first === undefined) continue
      const model = models.get(modelKeyText(first))
      if (model === undefined) bounds.add(first.writeKey, 'modelsOverflow', sum(versions))
      else created.push(...(await mergeModel(db, model, versions, bounds)))
    }
    await addBounds(db, workspaceId, bounds.deltas())
    return created
  }

  async function mergeModel(
    db: Db,
    model: ModelRow,
    versions: readonly VersionDelta[],
    bounds: BoundTally,
  ): Promise<readonly NewVersion[]> {
    const learnt = versions.filter(({ schemaHash }) => schemaHash !== overflowHash)
    const known = await knownHashesOf(db, model.event_id, learnt)
    const fresh = learnt.filter(({ schemaHash }) => !known.has(schemaHash))
    const room = fresh.length === 0 ? 0 : await roomForVersions(db, model.event_id)
    const created = fresh.slice(0, room)
    const overflow = [...fresh.slice(room), ...versions.filter(({ schemaHash }) => schemaHash === overflowHash)]
    const counted = [...learnt.filter(({ schemaHash }) => known.has(schemaHash)), ...created]
    const ids = await countVersions(db, random, model.event_id, counted, known)
    const overflowId = await countOverflow(db, model, overflow, bounds)
    await keepSamples(
      db,
      versions.flatMap(({ schemaHash, samples }) => {
        const versionId = ids.get(schemaHash) ?? overflowId
        return versionId === undefined || samples === undefined ? [] : { versionId, samples }
      }),
      limits.samplesMax,
    )
    await updateModel(db, model, versions, fresh, bounds)
    return created.map(({ writeKey, eventType, eventIdentifier, schemaHash, schema }) => {
      const versionId = ids.get(schemaHash)
      if (versionId === undefined) throw new Error('a version was added and has no id')
      return { writeKey, eventType, eventIdentifier, schema, eventId: model.event_id, versionId }
    })
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
    const knownHashes = new Set(known === undefined ? [] : [overflowHash])
    const id = (await countVersions(db, random, model.event_id, [all], knownHashes)).get(overflowHash)
    if (id === undefined) throw new Error('the overflow version was counted and has no id')
    const counts = new Map<string, number>(Object.entries(JSON.parse(known?.key_counts_json ?? '{}')))
    for (const { schema, count } of versions)
      bounds.add(model.write_key, 'keysPerModel', addKeyCounts(counts, schema, count, limits.keysPerModelMax))
    const key_counts_json = JSON.stringify(Object.fromEntries(counts))
    await db.updateTable('schema_version').set({ key_counts_json }).where('version_id', '=', id).execute()
    return id
  }

  async function updateModel(
    db: Db,
    model: ModelRow,
    versions: readonly VersionDelta[],
    fresh: readonly VersionDelta[],
    bounds: BoundTally,
  ): Promise<void> {
    const structures = versions.flatMap(({ structure }) => structure ?? [])
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
        total_count: model.total_count + sum(versions),
        last_seen: Math.max(model.last_seen, ...versions.map(({ lastSeen }) => lastSeen)),
        ...(fresh.length > 0 ? { schema_json: JSON.stringify(united.schema) } : {}),
        ...(structure ? { structure_json: JSON.stringify(structure) } : {}),
      })
      .where('id', '=', model.id)
      .execute()
  }
}

const sum = (versions: readonly VersionDelta[]): number => versions.reduce((total, { count }) => total + count, 0)
const schemasOf = (versions: readonly VersionDelta[]): readonly FlatSchema[] => versions.map(({ schema }) => schema)
