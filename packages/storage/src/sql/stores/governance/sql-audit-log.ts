import type { AuditLog } from '@sluice/pipeline'
import { sql } from 'kysely'
import type { SqlSession } from '../../sql-session.ts'

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
    list: async (workspaceId, limit, { token, method, path, since, until, before } = {}) => {
      const rows = await read((db) => {
        let query = db
          .selectFrom('audit_entry')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .orderBy('seq', 'desc')
          .limit(limit)
        if (token !== undefined) query = query.where('token', '=', token)
        if (method !== undefined) query = query.where('method', '=', method)
        // Databases count characters, not UTF-16 units. A pattern of `like` would ignore case in one of them.
        if (path !== undefined) query = query.where(sql`substr(path, 1, ${sql.lit([...path].length)})`, '=', path)
        if (since !== undefined) query = query.where('at', '>=', since)
        if (until !== undefined) query = query.where('at', '<', until)
        if (before !== undefined) query = query.where('seq', '<', before)
        return query.execute()
      })
      return rows.map(({ seq: id, token, user_name: user, method, path, status, at }) => ({
        id,
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
