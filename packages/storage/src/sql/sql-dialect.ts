import type { ColumnDataType, ColumnDefinitionBuilder, Expression, Kysely, RawBuilder } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * What differs between the SQL databases that can keep a store. Everything else in this folder is SQL they share.
 *
 * Two things are expected of a database itself: its driver returns 64-bit integers (sums and counts too) as numbers and
 * bytes as `Buffer`, and one statement may carry a few thousand values (see `inChunks`).
 */
export interface SqlDialect {
  readonly types: ColumnTypes
  /** Returns the version of the stored tables, 0 for a new database. */
  readVersion(db: Kysely<Tables>): Promise<number>
  /** Writes the version of the stored tables as part of the transaction `db`. */
  writeVersion(db: Kysely<Tables>, version: number): Promise<void>
  /** The time by the clock of the database, in milliseconds since the epoch. */
  readonly now: RawBuilder<number>
  /** Returns whether a write failed because the database's disk is full. */
  isDiskFull(error: unknown): boolean
  /**
   * Returns whether writes that shared a transaction may succeed one by one: it failed because of one of them, such as its
   * data, and not because of a time-out, a lost connection, or anything else that all of them would meet again.
   */
  isOfOneWrite(error: unknown): boolean
}

type ColumnType = ColumnDataType | Expression<unknown>

/**
 * Column types whose names differ. The others are the same everywhere: `bigint` for positions, counts, sizes and times
 * (milliseconds since the epoch), `double precision` for fractions, `integer` for what fits 32 bits.
 */
export interface ColumnTypes {
  /** Text that is ordered by its bytes in UTF-8, that is by code points. */
  readonly text: ColumnType
  readonly bytes: ColumnType
  /** A primary key of 64 bits, generated when it is not given. */
  readonly key: ColumnDefinition
  /** The same, always larger than every number generated before: rows are in the order of insertion. */
  readonly sequence: ColumnDefinition
}

/** The arguments of Kysely's `addColumn` after the name. */
type ColumnDefinition = readonly [type: ColumnType, build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder]
