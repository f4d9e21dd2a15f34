import type { Regulation, RegulationStore } from '@sluice/regulation'
import type { Selectable } from 'kysely'
import { inChunks, type SqlSession } from './sql-session.ts'
import type { Tables } from './tables.ts'

export function createSqlRegulationStore({ read, write }: SqlSession): RegulationStore {
  return {
    add: async (regulations) => {
      const rows = regulations.map(rowOf)
      await write({
        apply: (db) =>
          inChunks(rows, (chunk) =>
            db
              .insertInto('regulation')
              .values(chunk)
              .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
              .execute(),
          ),
      })
    },
    cancel: async (workspaceId, id) => {
      const row = await write({
        apply: (db) =>
          db
            .updateTable('regulation')
            .set({ canceled: 1 })
            .where('workspace_id', '=', workspaceId)
            .where('id', '=', id)
            .returningAll()
            .executeTakeFirst(),
      })
      return row && regulationOf(row)
    },
    list: async (workspaceId, { after, limit }) => {
      const rows = await read((db) => {
        const all = db.selectFrom('regulation').selectAll().where('workspace_id', '=', workspaceId)
        const behind = after === undefined ? all : all.where('id', '>', after)
        return behind.orderBy('id').limit(limit).execute()
      })
      return rows.map(regulationOf)
    },
  }
}

function rowOf(regulation: Regulation): Tables['regulation'] {
  return {
    workspace_id: regulation.workspaceId,
    id: regulation.id,
    canceled: regulation.canceled ? 1 : 0,
    regulation_type: regulation.regulationType,
    attributes_json: JSON.stringify(regulation.attributes),
    source_ids_json: JSON.stringify(regulation.sourceIds),
    destination_ids_json: JSON.stringify(regulation.destinationIds),
    created_at: regulation.createdAt,
  }
}

function regulationOf(row: Selectable<Tables['regulation']>): Regulation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    canceled: row.canceled === 1,
    regulationType: row.regulation_type,
    attributes: JSON.parse(row.attributes_json),
    sourceIds: JSON.parse(row.source_ids_json),
    destinationIds: JSON.parse(row.destination_ids_json),
    createdAt: row.created_at,
  }
}
