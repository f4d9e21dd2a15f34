import { DummyDriver, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { compiledOnce } from './compiled-once.ts'
import { migrate } from './migrate.ts'
import type { Db } from './sql-session.ts'
import type { Tables } from './tables.ts'

/** A database of another kind, which shows the statements it is given. */
function otherDatabase(asked: string[]): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
    log: ({ query }) => {
      asked.push(query.sql)
    },
  })
}

describe('a statement that is compiled once', () => {
  it('is built once per kind of database, and runs with the values of each call', async () => {
    let built = 0
    const find = compiledOnce<{ readonly consumer: string }, { position: number }>(['consumer'], (db, { consumer }) => {
      built += 1
      return db.selectFrom('log_cursor').select('position').where('consumer', '=', consumer)
    })
    const { db, dialect, ...database } = openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })
    await migrate({ db, dialect, ...database })
    for (const [consumer, position] of [['a', 1] as const, ['b', 2] as const])
      await db.insertInto('log_cursor').values({ workspace_id: 'w', consumer, position }).execute()
    const asked: string[] = []
    const other = otherDatabase(asked)
    expect((await find(db as Db, { consumer: 'a' })).rows).toEqual([{ position: 1 }])
    await find(other as Db, { consumer: 'a' })
    expect((await find(db as Db, { consumer: 'b' })).rows).toEqual([{ position: 2 }])
    await db.transaction().execute(async (transaction) => {
      expect((await find(transaction, { consumer: 'a' })).rows).toEqual([{ position: 1 }])
    })
    expect(built).toBe(2)
    expect(asked).toEqual(['select `position` from `log_cursor` where `consumer` = ?'])
  })
})
