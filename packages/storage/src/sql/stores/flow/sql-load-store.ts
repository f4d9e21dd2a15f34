import { type LoadAttempt, type LoadStore, loadAttemptsMax } from '@sluice/pipeline/store'
import type { SqlSession } from '../../sql-session.ts'

export function createSqlLoadStore({ read, write }: SqlSession): LoadStore {
  return {
    begin: (workspaceId, consumer, loads, passed = []) =>
      write({
        apply: async (db) => {
          const key = { workspace_id: workspaceId, consumer }
          for (const { lane, loadId } of passed)
            await db
              .deleteFrom('load_mark')
              .where((row) => row.and({ ...key, lane, load_id: loadId }))
              .execute()
          for (const { lane, loadId, position } of loads)
            await db
              .insertInto('load_mark')
              .values({ ...key, lane, load_id: loadId, position, is_over: 0 })
              .execute()
        },
      }),
    over: (workspaceId, consumer, loadId) =>
      write({
        apply: async (db) => {
          await db
            .updateTable('load_mark')
            .set({ is_over: 1 })
            .where((row) => row.and({ workspace_id: workspaceId, consumer, load_id: loadId }))
            .execute()
        },
      }),
    begun: async (workspaceId, consumer) => {
      const rows = await read((db) =>
        db
          .selectFrom('load_mark')
          .select(['lane', 'load_id', 'position', 'is_over'])
          .where('workspace_id', '=', workspaceId)
          .where('consumer', '=', consumer)
          .orderBy('lane')
          .orderBy('load_id')
          .execute(),
      )
      return rows.map(({ lane, load_id: loadId, position, is_over }) => ({
        lane,
        loadId,
        position,
        isOver: is_over === 1,
      }))
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
          for (const table of ['load_mark', 'load_attempt'] as const)
            await db
              .deleteFrom(table)
              .where((row) => row.and({ workspace_id: workspaceId, consumer }))
              .execute()
        },
      }),
  }
}
