import { type Clock, type Random, uuidV4 } from '@sluice/core'
import {
  createSchemaAccumulator,
  mergeSchema,
  type SchemaDelta,
  type SchemaStore,
  type VersionDelta,
} from '@sluice/schema'
import type { Db, SqlSession } from './sql-session.ts'

export interface SqlSchemaStore extends SchemaStore {
  /** What `merge` does, as part of a transaction. */
  mergeInto(db: Db, workspaceId: string, delta: SchemaDelta): Promise<void>
}

export interface SqlSchemaStoreOptions {
  readonly clock: Clock
  readonly random: Random
}

export function createSqlSchemaStore(
  { read, write }: SqlSession,
  { clock, random }: SqlSchemaStoreOptions,
): SqlSchemaStore {
  const mergeInto = async (db: Db, workspaceId: string, delta: SchemaDelta): Promise<void> => {
    for (const version of summed(delta)) {
      const eventId = await countModel(db, workspaceId, version)
      const isNew = await countVersion(db, eventId, version)
      if (isNew) await extendModel(db, eventId, version)
    }
  }

  /** @returns the event id of the model. */
  const countModel = async (db: Db, workspaceId: string, version: VersionDelta): Promise<string> => {
    const { count, lastSeen } = version
    const known = await db
      .updateTable('event_model')
      .set((eb) => ({
        total_count: eb('total_count', '+', count),
        last_seen: eb.case().when('last_seen', '<', lastSeen).then(lastSeen).else(eb.ref('last_seen')).end(),
      }))
      .where('workspace_id', '=', workspaceId)
      .where('write_key', '=', version.writeKey)
      .where('event_type', '=', version.eventType)
      .where('event_identifier', '=', version.eventIdentifier)
      .returning('event_id')
      .executeTakeFirst()
    if (known !== undefined) return known.event_id
    const event_id = uuidV4(random)
    await db
      .insertInto('event_model')
      .values({
        event_id,
        workspace_id: workspaceId,
        write_key: version.writeKey,
        event_type: version.eventType,
        event_identifier: version.eventIdentifier,
        created_at: clock.now(),
        schema_json: '{}',
        last_seen: lastSeen,
        total_count: count,
      })
      .execute()
    return event_id
  }

  /** @returns whether the version was not known before. */
  const countVersion = async (db: Db, eventId: string, version: VersionDelta): Promise<boolean> => {
    const { count, firstSeen, lastSeen } = version
    const { numUpdatedRows } = await db
      .updateTable('schema_version')
      .set((eb) => ({
        total_count: eb('total_count', '+', count),
        first_seen: eb.case().when('first_seen', '>', firstSeen).then(firstSeen).else(eb.ref('first_seen')).end(),
        last_seen: eb.case().when('last_seen', '<', lastSeen).then(lastSeen).else(eb.ref('last_seen')).end(),
      }))
      .where('event_model_id', '=', eventId)
      .where('schema_hash', '=', version.schemaHash)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return false
    await db
      .insertInto('schema_version')
      .values({
        version_id: uuidV4(random),
        event_model_id: eventId,
        schema_hash: version.schemaHash,
        schema_json: JSON.stringify(version.schema),
        first_seen: firstSeen,
        last_seen: lastSeen,
        total_count: count,
      })
      .execute()
    return true
  }

  return {
    mergeInto,
    merge: (workspaceId, delta) => write({ apply: (db) => mergeInto(db, workspaceId, delta) }),
    models: async (workspaceId, writeKey) => {
      const rows = await read((db) => {
        const all = db.selectFrom('event_model').selectAll().where('workspace_id', '=', workspaceId)
        return (writeKey === undefined ? all : all.where('write_key', '=', writeKey)).orderBy('id').execute()
      })
      return rows.map((row) => ({
        id: row.id,
        eventId: row.event_id,
        createdAt: row.created_at,
        writeKey: row.write_key,
        eventType: row.event_type,
        eventIdentifier: row.event_identifier,
        schema: JSON.parse(row.schema_json),
        lastSeen: row.last_seen,
        totalCount: row.total_count,
      }))
    },
    versions: async (workspaceId, eventId) => {
      const rows = await read((db) =>
        db
          .selectFrom('schema_version')
          .innerJoin('event_model', 'event_model.event_id', 'schema_version.event_model_id')
          .selectAll('schema_version')
          .where('event_model.workspace_id', '=', workspaceId)
          .where('event_model.event_id', '=', eventId)
          .orderBy('schema_version.id')
          .execute(),
      )
      return rows.map((row) => ({
        id: row.id,
        versionId: row.version_id,
        eventModelId: row.event_model_id,
        schema: JSON.parse(row.schema_json),
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        totalCount: row.total_count,
      }))
    },
  }
}

async function extendModel(db: Db, eventId: string, { schema }: VersionDelta): Promise<void> {
  const model = await db
    .selectFrom('event_model')
    .select('schema_json')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  const schema_json = JSON.stringify(mergeSchema(JSON.parse(model.schema_json), schema))
  await db.updateTable('event_model').set({ schema_json }).where('event_id', '=', eventId).execute()
}

/** One entry per model and version, so that each row is met once. */
function summed({ versions }: SchemaDelta): readonly VersionDelta[] {
  if (versions.length < 2) return versions
  const sums = createSchemaAccumulator()
  for (const version of versions) sums.add(version)
  return sums.take().versions
}
