import { ownerOf, type SessionStore, type StoredSession, sessionsMax } from '@sluice/pipeline/store'
import type { SqlSession } from '../../sql-session.ts'

export function createSqlSessionStore({ read, write }: SqlSession): SessionStore {
  return {
    put: (key, { text, endsAt }) =>
      write({
        apply: async (db) => {
          const set = { session_json: text, ends_at: endsAt }
          await db
            .insertInto('studio_session')
            .values({ key, ...set })
            .onConflict((conflict) => conflict.column('key').doUpdateSet(set))
            .execute()
          const beyond = db
            .selectFrom('studio_session')
            .select('key')
            .where('key', 'like', `${ownerOf(key)}%`)
            .orderBy('ends_at', 'desc')
            .orderBy('key')
            .limit(sessionsMax)
            .offset(sessionsMax)
          await db.deleteFrom('studio_session').where('key', 'in', beyond).execute()
        },
      }),
    find: (key) =>
      read(async (db) => {
        const row = await db.selectFrom('studio_session').selectAll().where('key', '=', key).executeTakeFirst()
        return row && sessionOf(row)
      }),
    take: (key) =>
      write({
        apply: async (db) => {
          const row = await db.deleteFrom('studio_session').where('key', '=', key).returningAll().executeTakeFirst()
          return row && sessionOf(row)
        },
      }),
  }
}

const sessionOf = (row: { session_json: string; ends_at: number }): StoredSession => ({
  text: row.session_json,
  endsAt: row.ends_at,
})
