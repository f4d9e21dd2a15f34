import type { ErasureSql } from '../../erase/erasure-store.ts'
import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import type { Statement } from '../sql/statement.ts'
import type { CloudRow } from './cloud-client.ts'

/** How a column gets another type. */
export interface RetypedColumn {
  readonly statements: readonly Statement[]
  /** A condition for rows whose value the new type does not have; absent where there are none. */
  readonly isLossy?: string
}

/** What differs between the tables of cloud products. Names that are returned are quoted. */
export interface TableDialect {
  /** Returns a name of an own table or column in the case of the product. */
  cased(name: string): string
  quoted(name: string): string
  /** Returns the whole name of a table of the namespace. */
  nameOf(table: string): string
  nativeTypeOf(type: ColumnType): string
  /** Lists columns as rows of `table_name`, `column_name` and what `liveColumnOf` reads, in order; none of a new namespace. */
  readonly columns: Statement
  liveColumnOf(row: CloudRow): LiveColumn
  /** @param definitions of columns, with commas between them. @param dated name of the column by which it is read. */
  createTable(name: string, definitions: string, dated: string | undefined): Statement
  /** How ids of users are searched. */
  readonly erasure: Omit<ErasureSql, 'cased' | 'quoted'>
  /**
   * Returns what gives a column another type, in one step. @param name of the table. @param column quoted. Absent, or undefined, where
   * the product cannot do that to columns with values.
   */
  retyped?(name: string, column: string, to: Retyping['to']): RetypedColumn | undefined
  /** Columns that were added before one fails stay. */
  addColumns(name: string, definitions: readonly string[]): readonly Statement[]
}

/** The same for products whose rows are staged in a table, because statements have no session. */
export interface CloudDialect extends TableDialect {
  /** Types of the columns of own tables. */
  readonly own: { readonly text: string; readonly integer: string; readonly time: string; readonly stagedRow: string }
  readonly createNamespace: Statement
  /** Returns a query of a column `data` with the elements of a JSON array. */
  elementsOf(array: Statement): Statement
  /** Returns the element of `data` at a place in the type of a column, as SQL. */
  staged(place: number, type: ColumnType): string
  /** A time a day ago, as SQL. */
  readonly dayAgo: string
}
