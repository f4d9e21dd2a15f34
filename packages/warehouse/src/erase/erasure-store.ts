import type { Statement } from '../engines/sql/statement.ts'
import type { TextRow } from '../engines/sql/text-row.ts'
import type { LiveColumn } from '../evolve/live-schema.ts'
import type { IdFamily } from '../ids/id-family.ts'

/** What a product must be able to do so that rows of users can be found and deleted in it. */
export interface ErasureStore {
  readonly sql: ErasureSql
  /** The table of discards as it is read, undefined when there is none. */
  readonly discards: string | undefined
  /** Runs a query. @returns its rows. */
  rows(statement: Statement): Promise<readonly TextRow[]>
  /** Runs work for each part of a table, one after the other: the whole table, or its files. */
  eachPart(table: string, work: (part: TablePart) => Promise<void>): Promise<void>
  /** Deletes rows of the table of discards. */
  deleteDiscards(condition: Statement): Promise<void>
}

/** A table, or a file of it. */
export interface TablePart {
  /** As it is read. */
  readonly from: string
  readonly columns: ReadonlyMap<string, LiveColumn>
  /** Deletes rows, and the discards that belong to them. */
  delete(condition: Statement): Promise<void>
}

/** Words of SQL in which products differ. Columns are given and returned as SQL. */
export interface ErasureSql {
  /** Returns a name of an own table or column in the case of the product. */
  cased(name: string): string
  quoted(name: string): string
  /** Returns a column as text that is compared byte by byte: in any case, and with blanks at its ends. */
  text(column: string, family: IdFamily): string
  /** Returns the condition that a text column matches a regular expression somewhere. It has no backslashes and quotes. */
  matches(column: string, pattern: string): string
  /** Returns a text column without what matches. Absent where the product cannot do so. */
  without?(column: string, pattern: string): string
  /** Returns a moment in the type of a column. @param iso text in UTC with milliseconds. */
  time(iso: string, native: string): string
  /** Returns a day, such as `2026-01-31`. */
  date(day: string): string
  /** Most values of one statement. */
  readonly valuesMax: number
}
