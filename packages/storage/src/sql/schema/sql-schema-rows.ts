import type { Clock, Random } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import {
  createMentions,
  defaultSchemaLimits,
  type NewVersion,
  type SchemaDelta,
  type SchemaLimits,
  userDigest,
} from '@sluice/schema'
import type { Selectable } from 'kysely'
import type { Db, SqlSession } from '../sql-session.ts'
import type { Tables } from '../tables.ts'
import { unlessStored } from '../write-mark.ts'
import { readDays } from './schema-days.ts'
import { createSchemaMerge } from './schema-merge.ts'
import { type SchemaRows, unpackValues } from './schema-rows.ts'
import { createValuesMerge, forgetMentions } from './values-merge.ts'

export interface SqlSchemaRows extends SchemaRows {
  /** Does the work of `merge` in an open transaction. */
  mergeInto(db: Db, workspaceId: string, delta: SchemaDelta): Promise<readonly NewVersion[]>
}

interface SqlSchemaRowsOptions {
  readonly clock: Clock
  readonly random: Random
  readonly limits?: Partial<SchemaLimits>
}

export function createSqlSchemaRows(
  session: SqlSession,
  { clock, random, limits: given }: SqlSchemaRowsOptions,
): SqlSchemaRows {
  const { dialect, read, write } = session
  const limits = withDefaults(defaultSchemaLimits, given)
  const mergeInto = createSchemaMerge({ clock, random, limits })
  const mergeValuesInto = createValuesMerge(limits)
  return {
    mergeInto,
    merge: (workspaceId, delta, writeId) =>
      write<readonly NewVersion[]>({
        owner: workspaceId,
        apply: unlessStored(dialect, { writeId, known: [] }, (db) => mergeInto(db, workspaceId, delta)),
      }),
    mergeValues: (workspaceId, values) =>
      write({ owner: workspaceId, apply: (db) => mergeValuesInto(db, workspaceId, unpackValues(values)) }),
    models: async (workspaceId, writeKey) => {
      const rows = await read((db) => {
        const all = db.selectFrom('event_model').select(modelColumns).where('workspace_id', '=', workspaceId)
        return (writeKey === undefined ? all : all.where('write_key', '=', writeKey)).orderBy('id').execute()
      })
      return rows.map(modelOf)
    },
    model: async (workspaceId, eventId) => {
      const row = await read((db) =>
        db
          .selectFrom('event_model')
          .select(modelColumns)
          .where('workspace_id', '=', workspaceId)
          .where('event_id', '=', eventId)
          .executeTakeFirst(),
      )
      return row && modelOf(row)
    },
    versions: async (workspaceId, eventId) => {
      const rows = await read((db) =>
        versionsOf(db, workspaceId).where('event_model.event_id', '=', eventId).orderBy('schema_version.id').execute(),
      )
      return rows.map(versionOf)
    },
    version: async (workspaceId, versionId) => {
      const row = await read((db) =>
        versionsOf(db, workspaceId).where('schema_version.version_id', '=', versionId).executeTakeFirst(),
      )
      return row && versionOf(row)
    },
    valuesJson: async (workspaceId, id) => {
      const row = await read((db) =>
        db
          .selectFrom('schema_values')
          .select('values_json')
          .where('workspace_id', '=', workspaceId)
          .where('owner_id', '=', id)
          .executeTakeFirst(),
      )
      return row?.values_json
    },
    samples: async (workspaceId, id) => {
      const rows = await read((db) =>
        db
          .selectFrom('schema_sample')
          .innerJoin('schema_version', 'schema_version.version_id', 'schema_sample.version_id')
          .innerJoin('event_model', 'event_model.event_id', 'schema_version.event_model_id')
          .select(['rank', 'text', 'user_digest'])
          .where('event_model.workspace_id', '=', workspaceId)
          .where((eb) => eb.or([eb('schema_sample.version_id', '=', id), eb('event_model_id', '=', id)]))
          .orderBy('rank')
          .limit(limits.samplesMax)
          .execute(),
      )
      return rows.map(({ rank, text, user_digest }) => ({ rank, text, user: user_digest }))
    },
    samplesOf: async (workspaceId, userId) => {
      const digest = userDigest(userId)
      if (digest === '') return 0
      const found = await read((db) =>
        db
          .selectFrom('schema_sample')
          .innerJoin('schema_version', 'schema_version.version_id', 'schema_sample.version_id')
          .innerJoin('event_model', 'event_model.event_id', 'schema_version.event_model_id')
          .select((eb) => eb.fn.countAll<number>().as('samples'))
          .where('event_model.workspace_id', '=', workspaceId)
          .where('user_digest', '=', digest)
          .executeTakeFirstOrThrow(),
      )
      return found.samples
    },
    structure: async (workspaceId, eventId) => {
      const row = await read((db) =>
        db
          .selectFrom('event_model')
          .select('structure_json')
          .where('workspace_id', '=', workspaceId)
          .where('event_id', '=', eventId)
          .executeTakeFirst(),
      )
      return row && JSON.parse(row.structure_json)
    },
    days: (workspaceId, eventId) => read((db) => readDays(db, workspaceId, eventId)),
    bounds: async (workspaceId, writeKey) => {
      const rows = await read((db) => {
        const all = db.selectFrom('schema_bound').selectAll().where('workspace_id', '=', workspaceId)
        const wanted = writeKey === undefined ? all : all.where('write_key', '=', writeKey)
        return wanted.orderBy('write_key').orderBy('bound').execute()
      })
      return rows.map(({ write_key, bound, total }) => ({ writeKey: write_key, bound, count: total }))
    },
    forget: (workspaceId, identifiers, owned) =>
      forgetMentions(session, workspaceId, createMentions(identifiers, limits.valueLengthMax, owned)),
  }
}

// Without the structure, which is large and needed for single models only.
const modelColumns = [
  'id',
  'event_id',
  'created_at',
  'write_key',
  'event_type',
  'event_identifier',
  'schema_json',
  'last_seen',
  'total_count',
] as const

function modelOf(row: Pick<Selectable<Tables['event_model']>, (typeof modelColumns)[number]>) {
  return {
    id: row.id,
    eventId: row.event_id,
    createdAt: row.created_at,
    writeKey: row.write_key,
    eventType: row.event_type,
    eventIdentifier: row.event_identifier,
    schema: JSON.parse(row.schema_json),
    lastSeen: row.last_seen,
    totalCount: row.total_count,
  }
}

function versionsOf(db: Db, workspaceId: string) {
  return db
    .selectFrom('schema_version')
    .innerJoin('event_model', 'event_model.event_id', 'schema_version.event_model_id')
    .selectAll('schema_version')
    .where('event_model.workspace_id', '=', workspaceId)
}

function versionOf(row: Selectable<Tables['schema_version']>) {
  return {
    id: row.id,
    versionId: row.version_id,
    eventModelId: row.event_model_id,
    schemaHash: row.schema_hash,
    schema: JSON.parse(row.schema_json),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    totalCount: row.total_count,
    keyCounts: row.key_counts_json === null ? undefined : JSON.parse(row.key_counts_json),
  }
}
