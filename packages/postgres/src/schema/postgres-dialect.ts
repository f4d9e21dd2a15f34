import type { SqlDialect } from '@sluice/storage/sql'
import { sql } from 'kysely'
import pg from 'pg'

export const postgresDialect: SqlDialect = {
  types: {
    text: sql`text collate "C"`,
    bytes: 'bytea',
    key: ['bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()],
    sequence: ['bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()],
  },
  readVersion: async (db) => {
    await sql`create table if not exists store_version (version bigint not null)`.execute(db)
    const { rows } = await sql<{ version: number }>`select version from store_version`.execute(db)
    return rows[0]?.version ?? 0
  },
  writeVersion: async (db, version) => {
    await sql`delete from store_version`.execute(db)
    await sql`insert into store_version (version) values (${version})`.execute(db)
  },
  isDiskFull: (error) => error instanceof pg.DatabaseError && error.code === '53100',
}
