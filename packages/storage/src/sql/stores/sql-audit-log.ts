import type { AuditLog } from '@sluice/pipeline'
import type { SqlSession } from '../sql-session.ts'

/** Prunings per `entriesMax` entries; each costs a statement. */
const entriesPerPrune = 20

/** @param entriesMax number of entries to keep; up to 5 % more between two prunings. */
export function createSqlAuditLog({ read, write }: SqlSession, entriesMax: number): AuditLog {
  const pruneEvery = Math.max(1, Math.floor(entriesMax / entriesPerPrune))
  return {
    add: async ({ workspaceId, token, user, method, path, status, at }) => {
      await write({
        apply: async (db) => {
          const { seq } = await db
            .insertInto('audit_entry')
            .values({ workspace_id: workspaceId, token, user_name: user, method, path, status, at })
            .returning('seq')
            .executeTakeFirstOrThrow()
          if (seq % pruneEvery !== 0) return
          await db
            .deleteFrom('audit_entry')
            .where('seq', '<=', seq - entriesMax)
            .execute()
        },
      })
    },
    list: async (workspaceId, limit) => {
      const rows = await read((db) =>
        db
          .selectFrom('audit_entry')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .orderBy('seq', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.map(({ token, user_name: user, method, path, status, at }) => ({
        workspaceId,
        token,
        user,
        method,
        path,
        status,
        at,
      }))
    },
  }
}
