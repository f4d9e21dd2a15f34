import type { ConfigurationRecord, ConfigurationStore, RecordKey } from '@sluice/configuration'
import type { Insertable, Selectable } from 'kysely'
import { inChunks } from '../../in-chunks.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import type { Tables } from '../../tables.ts'

/** Id of the only row with the revision. */
const only = 1

export function createSqlConfigurationStore({ read, write }: SqlSession): ConfigurationStore {
  return {
    read: () =>
      read((db) =>
        db.transaction().execute(async (transaction) => {
          const rows = await transaction.selectFrom('config_record').selectAll().orderBy('seq').execute()
          return { revision: await revisionOf(transaction), records: rows.map(recordOf) }
        }),
      ),
    revision: () => read(revisionOf),
    commit: async ({ put = [], remove = [] }, basedOn) => {
      try {
        return await write({
          admit: async (db) => {
            if ((await revisionOf(db)) !== basedOn) throw new OutdatedError()
          },
          apply: async (db) => {
            await inChunks(remove, (keys) => deleteRows(db, keys))
            await inChunks(put, (records) => putRows(db, records))
            const revision = basedOn + 1
            await db
              .insertInto('config_revision')
              .values({ id: only, revision })
              .onConflict((conflict) => conflict.column('id').doUpdateSet({ revision }))
              .execute()
            return revision
          },
        })
      } catch (error) {
        if (error instanceof OutdatedError) return undefined
        throw error
      }
    },
  }
}

/** Ends a group commit without a write; never reaches a caller. */
class OutdatedError extends Error {
  override readonly name = 'OutdatedError'
}

async function revisionOf(db: Db): Promise<number> {
  const row = await db.selectFrom('config_revision').select('revision').where('id', '=', only).executeTakeFirst()
  return row?.revision ?? 0
}

async function deleteRows(db: Db, keys: readonly RecordKey[]): Promise<void> {
  await db
    .deleteFrom('config_record')
    .where((eb) =>
      eb.or(
        keys.map(({ workspaceId, kind, id }) =>
          eb.and([eb('workspace_id', '=', workspaceId), eb('kind', '=', kind), eb('id', '=', id)]),
        ),
      ),
    )
    .execute()
}

async function putRows(db: Db, records: readonly ConfigurationRecord[]): Promise<void> {
  await db
    .insertInto('config_record')
    .values(records.map(rowOf))
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'kind', 'id']).doUpdateSet(({ ref }) => ({
        revision: ref('excluded.revision'),
        created_at: ref('excluded.created_at'),
        updated_at: ref('excluded.updated_at'),
        external_id: ref('excluded.external_id'),
        body_json: ref('excluded.body_json'),
      })),
    )
    .execute()
}

function rowOf(record: ConfigurationRecord): Insertable<Tables['config_record']> {
  return {
    workspace_id: record.workspaceId,
    kind: record.kind,
    id: record.id,
    revision: record.revision,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    external_id: record.externalId ?? null,
    body_json: JSON.stringify(record.body),
  }
}

function recordOf(row: Selectable<Tables['config_record']>): ConfigurationRecord {
  return {
    workspaceId: row.workspace_id,
    kind: row.kind,
    id: row.id,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    externalId: row.external_id ?? undefined,
    body: JSON.parse(row.body_json),
  }
}
