import type { Kysely } from 'kysely'
import type { Write } from './group-commit.ts'
import type { SqlDialect } from './sql-dialect.ts'
import type { Tables } from './tables.ts'

/** A database, or a transaction of it. */
export type Db = Kysely<Tables>

/** What the stores need of a database. Both methods reject with StoreClosedError once the store is closed. */
export interface SqlSession {
  readonly dialect: SqlDialect
  /** Runs a query that sees everything acknowledged, and nothing of writes in progress. */
  read<Result>(query: (db: Db) => Promise<Result>): Promise<Result>
  /** Writes all or nothing; durable when it resolves. */
  write<Result>(write: Write<Db, Result>): Promise<Result>
}
