import { type Clock, type Random, uuidV4 } from '@sluice/core'
import {
  addKeyCounts,
  type BoundDelta,
  byModel,
  type FlatSchema,
  mergeSchema,
  type NewVersion,
  overflowHash,
  type SchemaBound,
  type SchemaDelta,
  type SchemaLimits,
  sumVersions,
  uniteStructures,
  type VersionDelta,
} from '@sluice/schema'
import type { Selectable } from 'kysely'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'
import type { Tables } from '../tables.ts'

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
    for (const versions of byModel(sumVersions(delta, limits.keysPerModelMax))) {
      const [first] = versions
      if (first === undefined) continue
      const model = await openModel(db, workspaceId, first)
      if (model === undefined) bounds.add(first.writeKey, 'modelsOverflow', sum(versions))
      else created.push(...(await mergeModel(db, model, versions, bounds)))
    }
    await addBounds(db, workspaceId, bounds.deltas())
    return created
  }

  /** Returns the row of a model, creating it when there is room; otherwise undefined. */
  async function openModel(db: Db, workspaceId: string, version: VersionDelta): Promise<ModelRow | undefined> {
    const { writeKey: write_key, eventType: event_type, eventIdentifier: event_identifier } = version
    const key = { workspace_id: workspaceId, write_key, event_type, event_identifier }
    const known = await db
      .selectFrom('event_model')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('write_key', '=', write_key)
      .where('event_type', '=', event_type)
      .where('event_identifier', '=', event_identifier)
      .executeTakeFirst()
    if (known !== undefined) return known
    const { models } = await db
      .selectFrom('event_model')
      .select((eb) => eb.fn.countAll<number>().as('models'))
      .where('workspace_id', '=', workspaceId)
      .where('write_key', '=', write_key)
      .executeTakeFirstOrThrow()
    if (models >= limits.modelsMax + limits.archivedModelsMax) return undefined
    const counts = { schema_json: '{}', structure_json: nothingSeen, last_seen: 0, total_count: 0 }
    return db
      .insertInto('event_model')
      .values({ ...key, ...counts, event_id: uuidV4(random), created_at: clock.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  async function mergeModel(
    db: Db,
    model: ModelRow,
    versions: readonly VersionDelta[],
    bounds: BoundTally,
  ): Promise<readonly NewVersion[]> {
    const learnt = versions.filter(({ schemaHash }) => schemaHash !== overflowHash)
    const known = await knownVersions(db, model.event_id, learnt)
    const fresh = learnt.filter(({ schemaHash }) => !known.has(schemaHash))
    const room = fresh.length === 0 ? 0 : await roomForVersions(db, model.event_id)
    const created = fresh.slice(0, room)
    const overflow = [...fresh.slice(room), ...versions.filter(({ schemaHash }) => schemaHash === overflowHash)]
    for (const version of learnt) {
      const id = known.get(version.schemaHash)
      if (id !== undefined) await countVersion(db, id, version)
    }
    const news: NewVersion[] = []
    for (const version of created) {
      const id = await insertVersion(db, model.event_id, version)
      known.set(version.schemaHash, id)
      const { writeKey, eventType, eventIdentifier, schema } = version
      news.push({ writeKey, eventType, eventIdentifier, schema, eventId: model.event_id, versionId: id })
    }
    const overflowId = await countOverflow(db, model, overflow, bounds)
    for (const version of versions) {
      const id = known.get(version.schemaHash) ?? overflowId
      if (id !== undefined && version.samples !== undefined) await keepSamples(db, id, version.samples)
    }
    await updateModel(db, model, versions, fresh, bounds)
    return news
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

  async function insertVersion(db: Db, eventId: string, version: VersionDelta): Promise<string> {
    const versionId = uuidV4(random)
    await db
      .insertInto('schema_version')
      .values({
        version_id: versionId,
        event_model_id: eventId,
        schema_hash: version.schemaHash,
        schema_json: JSON.stringify(version.schema),
        first_seen: version.firstSeen,
        last_seen: version.lastSeen,
        total_count: version.count,
        key_counts_json: null,
      })
      .execute()
    return versionId
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
      .select(['version_id', 'key_counts_json'])
      .where('event_model_id', '=', model.event_id)
      .where('schema_hash', '=', overflowHash)
      .executeTakeFirst()
    const id = known?.version_id ?? (await insertVersion(db, model.event_id, all))
    if (known !== undefined) await countVersion(db, id, all)
    const counts = new Map<string, number>(Object.entries(JSON.parse(known?.key_counts_json ?? '{}')))
    for (const { schema, count } of versions)
      bounds.add(model.write_key, 'keysPerModel', addKeyCounts(counts, schema, count, limits.keysPerModelMax))
    const key_counts_json = JSON.stringify(Object.fromEntries(counts))
    await db.updateTable('schema_version').set({ key_counts_json }).where('version_id', '=', id).execute()
    return id
  }

  async function keepSamples(db: Db, versionId: string, samples: NonNullable<VersionDelta['samples']>): Promise<void> {
    const rows = samples.map(({ rank, text, user }) => ({ version_id: versionId, rank, text, user_digest: user }))
    await inChunks(rows, (chunk) => db.insertInto('schema_sample').values(chunk).execute())
    const kept = db
      .selectFrom('schema_sample')
      .select('id')
      .where('version_id', '=', versionId)
      .orderBy('rank')
      .limit(limits.samplesMax)
    await db.deleteFrom('schema_sample').where('version_id', '=', versionId).where('id', 'not in', kept).execute()
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

type ModelRow = Selectable<Tables['event_model']>

/** Structure before any event was seen. */
const nothingSeen = '{"kinds":0}'

const sum = (versions: readonly VersionDelta[]): number => versions.reduce((total, { count }) => total + count, 0)
const schemasOf = (versions: readonly VersionDelta[]): readonly FlatSchema[] => versions.map(({ schema }) => schema)

/** Returns the ids of the versions that are already stored, by hash. */
async function knownVersions(db: Db, eventId: string, versions: readonly VersionDelta[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  await inChunks(versions, async (chunk) => {
    const rows = await db
      .selectFrom('schema_version')
      .select(['version_id', 'schema_hash'])
      .where('event_model_id', '=', eventId)
      .where(
        'schema_hash',
        'in',
        chunk.map(({ schemaHash }) => schemaHash),
      )
      .execute()
    for (const row of rows) ids.set(row.schema_hash, row.version_id)
  })
  return ids
}

async function countVersion(db: Db, versionId: string, { count, firstSeen, lastSeen }: VersionDelta): Promise<void> {
  await db
    .updateTable('schema_version')
    .set((eb) => ({
      total_count: eb('total_count', '+', count),
      first_seen: eb.case().when('first_seen', '>', firstSeen).then(firstSeen).else(eb.ref('first_seen')).end(),
      last_seen: eb.case().when('last_seen', '<', lastSeen).then(lastSeen).else(eb.ref('last_seen')).end(),
    }))
    .where('version_id', '=', versionId)
    .execute()
}

/** Sums how often each bound was reached, so that each row is updated once. */
class BoundTally {
  readonly #deltas = new Map<string, BoundDelta>()

  add(writeKey: string, bound: SchemaBound, count: number): void {
    if (count === 0) return
    const key = `${bound} ${writeKey}`
    this.#deltas.set(key, { writeKey, bound, count: count + (this.#deltas.get(key)?.count ?? 0) })
  }

  deltas(): readonly BoundDelta[] {
    return [...this.#deltas.values()]
  }
}

export async function addBounds(db: Db, workspaceId: string, deltas: readonly BoundDelta[]): Promise<void> {
  await inChunks(deltas, (chunk) =>
    db
      .insertInto('schema_bound')
      .values(
        chunk.map(({ writeKey, bound, count }) => ({
          workspace_id: workspaceId,
          write_key: writeKey,
          bound,
          total: count,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'write_key', 'bound'])
          .doUpdateSet((eb) => ({ total: eb('schema_bound.total', '+', eb.ref('excluded.total')) })),
      )
      .execute(),
  )
}
