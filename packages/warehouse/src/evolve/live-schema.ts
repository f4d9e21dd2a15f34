import type { ColumnType } from '../rows/columns/column-type.ts'

/** A column as the warehouse has it. */
export interface LiveColumn {
  /** Undefined when the column has a type that Sluice does not write. */
  readonly type: ColumnType | undefined
  /** The name of the type in the warehouse, for messages. */
  readonly native: string
  /** Largest number of characters of a text. Absent without a limit. */
  readonly lengthMax?: number
  /** Largest size of a text in UTF-8, in bytes. Absent without a limit. */
  readonly bytesMax?: number
  /** Range of an integer. Absent: that of 64 bits. */
  readonly bits?: 16 | 32
}

/** Columns by table. Names are those of the warehouse. */
export type LiveSchema = ReadonlyMap<string, ReadonlyMap<string, LiveColumn>>

/** What a warehouse has to add before a load. */
export interface TableChange {
  readonly table: string
  /** Whether the table does not exist. */
  readonly isNew: boolean
  /** The column by which rows of a new table are found, if any. */
  readonly key?: string
  /** Columns to be added, in order. */
  readonly columns: readonly NewColumn[]
}

export interface NewColumn {
  readonly name: string
  readonly type: ColumnType
}
