import type { Kysely } from 'kysely'
import type { SqlDialect } from './sql-dialect.ts'
import type { Tables } from './tables.ts'

/** An open database. */
export interface SqlDatabase {
  readonly db: Kysely<Tables>
  readonly dialect: SqlDialect
  /** Where the database is, for messages: a folder, or a server. */
  readonly place: string
}
