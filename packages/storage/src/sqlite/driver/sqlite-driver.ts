/**
 * What the stores use of a driver of SQLite. It is a part of the interface of better-sqlite3, so that both of its versions
 * in use are one without an adapter. `sqlite-driver.test.ts` holds what is promised here.
 */
export interface SqliteDriver {
  /** Whether `close` was not called yet. */
  readonly open: boolean
  /** Whether a transaction is open. SQLite ends one by itself when the disk is full. */
  readonly inTransaction: boolean
  /** Runs statements that have no parameters. */
  exec(statements: string): unknown
  /** Returns the rows of a pragma; with `simple` the first value of the first row. */
  pragma(pragma: string, options?: { readonly simple: true }): unknown
  prepare(sql: string): DriverStatement
  /**
   * Copies the database into a file, which must be empty, while writes continue.
   * @param progress called before each step. Returns the number of pages to copy in it; a throw ends the copy.
   */
  backup(path: string, options: { readonly progress: () => number }): Promise<unknown>
  /** Closes the file. May be called twice. */
  close(): unknown
}

/**
 * One statement. Values are null, strings, finite numbers and bytes; see `bindable`. Rows are objects by column: texts with
 * all their characters, whole numbers as numbers, blobs as buffers.
 */
export interface DriverStatement {
  /** Whether it returns rows. `all`, `get` and `iterate` refuse one that does not, `run` one that does. */
  readonly reader: boolean
  all(...values: readonly unknown[]): unknown[]
  get(...values: readonly unknown[]): unknown
  run(...values: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  iterate(...values: readonly unknown[]): IterableIterator<unknown>
  /** Makes the statement return the first column in place of rows. */
  pluck(): DriverStatement
}

export interface DriverOptions {
  /** Time to wait for a lock of another handle. Blocks the thread. */
  readonly timeout: number
  readonly readonly?: boolean
}

/** An error of SQLite. The message contains no stored data. */
export interface SqliteError extends Error {
  readonly name: 'SqliteError'
  /** Name of SQLite's extended result code, such as SQLITE_CONSTRAINT_UNIQUE. */
  readonly code: string
}
