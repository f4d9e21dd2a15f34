import { type LoadAttempt, type LoadStore, loadAttemptsMax } from '@sluice/pipeline/store'
import type { SqlSession } from '../sql-session.ts'

export function createSqlLoadStore({ read, write }: SqlSession): LoadStore {
  return {
    begin: (workspaceId, consumer, loads) =>
      write({
        apply: async (db) => {
          for (const { lane, loadId, position } of loads)
            await db
              .insertInto('begun_load')
              .values({ workspace_id: workspaceId, consumer, lane, load_id: loadId, position })
              .onConflict((conflict) =>
                conflict.columns(['workspace_id', 'consumer', 'lane']).doUpdateSet((row) => ({
                  load_id: row.ref('excluded.load_id'),
                  position: row.ref('excluded.position'),
                })),
              )
              .execute()
        },
      }),
    begun: async (workspaceId, consumer) => {
      const rows = await read((db) =>
        db
          .selectFrom('begun_load')
          .select(['lane', 'load_id', 'position'])
          .where('workspace_id', '=', workspaceId)
          .where('consumer', '=', consumer)
          .orderBy('lane')
          .execute(),
      )
      return rows.map(({ lane, load_id: loadId, position }) => ({ lane, loadId, position }))
    },
    ended: (workspaceId, consumer, attempt) =>
      write({
        apply: async (db) => {
          const key = { workspace_id: workspaceId, consumer }
          const row = { ...key, attempt_json: JSON.stringify(attempt) }
          await db.insertInto('load_attempt').values(row).execute()
          const oldest = await db
            .selectFrom('load_attempt')
            .select('seq')
            .where((row) => row.and(key))
            .orderBy('seq', 'desc')
            .offset(loadAttemptsMax)
            .limit(1)
            .executeTakeFirst()
          if (oldest === undefined) return
          const { seq } = oldest
          await db
            .deleteFrom('load_attempt')
            .where((row) => row.and(key))
            .where('seq', '<=', seq)
            .execute()
        },
      }),
    attempts: async (workspaceId, consumer, max) => {
      const rows = await read((db) =>
        db
          .selectFrom('load_attempt')
          .select('attempt_json')
          .where('workspace_id', '=', workspaceId)
          .where('consumer', '=', consumer)
          .orderBy('seq', 'desc')
          .limit(max)
          .execute(),
      )
      return rows.map((row): LoadAttempt => JSON.parse(row.attempt_json))
    },
    forget: (workspaceId, consumer) =>
      write({
        apply: async (db) => {
          for (const table of ['begun_load', 'load_attempt'] as const)
            await db
              .deleteFrom(table)
              .where((row) => row.and({ workspace_id: workspaceId, consumer }))
              .execute()
        },
      }),
  }
}
