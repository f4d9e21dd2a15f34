import type { ColumnValue } from '../evolve/cast-value.ts'
import type { LiveSchema, TableChange } from '../evolve/live-schema.ts'
import type { TableLimits } from '../evolve/plan-changes.ts'
import type { Retyping } from '../evolve/retyping.ts'
import type { ColumnType } from '../rows/columns/column-type.ts'
import type { RefusedName } from './plan/taken-names.ts'

/** One warehouse product: what loading needs of it. */
export interface Warehouse {
  readonly limits: TableLimits
  /** Opens a session, for one load. @throws WarehouseError, as do the methods of a session. */
  connect(signal: AbortSignal): Promise<WarehouseSession>
}

/** A connection to the namespace of one destination. One call at a time. */
export interface WarehouseSession {
  /** Largest number of columns of a table, where that depends on the database. Absent: that of `Warehouse.limits`. */
  readonly columnsMax?: number
  /** Returns the tables of the namespace. */
  schema(): Promise<LiveSchema>
  /**
   * Adds tables and columns. Another process may add the same ones at the same time: the first wins, none fails.
   * @returns names that the database refuses, such as those of its own columns, or of a view; everything else was added then.
   */
  evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]>
  /**
   * Changes types of columns where that loses nothing: no value of the column becomes another one, or is no value of the new type. Other
   * columns stay as they are, as do those of large tables. Called with types of `limits.retypesTo` only. @returns whether any column has changed.
   */
  retype?(retypings: readonly Retyping[]): Promise<boolean>
  /**
   * Loads rows, all or none, and remembers the id of the load in the same step. A second load with the same id, or one
   * that was settled before, fails with `AlreadySettledError`, and changes nothing.
   */
  load(load: PreparedLoad): Promise<void>
  /**
   * Writes rows as `load` does, and keeps nothing. Rejects as `load`, with `isOfRows` when a row is at fault. Where the product has no
   * transactions, only rows that are replaced when they are loaded again are written, and stay; so a refused row of a table to which
   * rows are added fails a load there.
   */
  tryOut?(load: PreparedLoad): Promise<void>
  /** Returns whether the load has happened. When it has not, it never will. */
  settle(loadId: string): Promise<boolean>
  /**
   * Deletes rows of users. @returns the deleted rows of each user, in the order of `userIds`, without tables that had
   * none. Fails when a table cannot be searched.
   */
  erase(erasure: Erasure): Promise<readonly ErasedUser[]>
  /**
   * Finds rows that `erase` would delete, and changes nothing. @returns the rows of each user, in the order of `userIds`. A
   * row that is found by two columns counts twice. Fails when a table cannot be searched.
   */
  search(search: Search): Promise<readonly ErasedUser[]>
  /** Closes the connection. Never rejects. */
  close(): Promise<void>
}

/** Rows to be loaded together. */
export interface PreparedLoad {
  readonly loadId: string
  readonly destinationId: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tables: readonly PreparedTable[]
}

/** How rows get into a table. */
export type WriteMode =
  /** Rows are added. */
  | 'append'
  /** A row takes the place of one with the same id. No two rows of a load have the same id. */
  | 'replace'
  /** As `replace`, but columns without a value keep the one they had. */
  | 'update'

export interface PreparedTable {
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]
  /** The column by which rows are replaced or updated. */
  readonly key: string
  readonly mode: WriteMode
  /**
   * Rows with the same id are looked for among those received since then, as ISO text, where that makes the search
   * shorter. Absent: among all.
   */
  readonly since?: string
  readonly rowCount: number
  /** Returns the rows, each with a value per column. Can be called again. */
  rows(): Iterable<readonly ColumnValue[]>
}

/** Users whose rows are searched. */
export interface Search {
  readonly userIds: readonly string[]
  readonly signal: AbortSignal
}

/** Users whose rows are to be deleted. */
export interface Erasure extends Search {
  /** Largest number of users in one statement. */
  readonly usersPerBatch: number
}

/** What was deleted, or found, of one user. */
export interface ErasedUser {
  readonly tables: readonly ErasedTable[]
  /** What is left to be done by people. */
  readonly note?: string
}

export interface ErasedTable {
  readonly table: string
  readonly rows: number
}
