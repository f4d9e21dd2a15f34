import { sql } from 'kysely'
import type { SqlDialect } from '../sql/sql-dialect.ts'
import { isDiskFull, isOfOneWrite } from './sqlite-errors.ts'

export const sqliteDialect: SqlDialect = {
  types: {
    text: 'text',
    bytes: 'blob',
    // SQLite makes a column the id of its rows only when its type is called "integer", which has 64 bits.
    key: ['integer', (column) => column.primaryKey()],
    sequence: ['integer', (column) => column.primaryKey().autoIncrement()],
  },
  readVersion: async (db) => {
    const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
    return rows[0]?.user_version ?? 0
  },
  writeVersion: async (db, version) => {
    await sql`pragma user_version = ${sql.lit(version)}`.execute(db)
  },
  // Also of SQLite before 3.42, which has no milliseconds in `unixepoch`.
  now: sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  isDiskFull,
  isOfOneWrite,
}
