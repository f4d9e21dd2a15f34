import type { Kysely } from 'kysely'
import type { Write } from './group-commit.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** What the adapters of the ports ask of the database. Both reject with StoreClosedError once the store is closed. */
export interface SqlSession {
  /** Sees everything that was acknowledged and nothing that is under way. */
  read<Result>(query: (db: Db) => Promise<Result>): Promise<Result>
  /** Durable when it resolves; whole or not at all. */
  write<Result>(write: Write<Db, Result>): Promise<Result>
}

/** Rows in one statement: well below the 32,766 values SQLite binds at most. */
const rowsMax = 200

/** Does something for all rows, as many at a time as one statement should hold. */
export async function inChunks<Row>(
  rows: readonly Row[],
  each: (chunk: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsMax) await each(rows.slice(start, start + rowsMax))
}
