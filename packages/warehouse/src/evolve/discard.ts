import type { ColumnType } from '../rows/columns/column-type.ts'

/** The table of values that did not fit their columns. */
export const discardsTable = 'rudder_discards'

/** One value that did not fit. Names of columns are those of RudderStack, and `reason` and the times are added. */
export interface Discard {
  readonly rowId: string
  readonly table: string
  readonly column: string
  readonly value: string
  readonly reason: string
  readonly receivedAt: string | null
}

/** Columns of the table of discards, in order. */
export const discardColumns = new Map<string, ColumnType>([
  ['row_id', 'string'],
  ['table_name', 'string'],
  ['column_name', 'string'],
  ['column_value', 'text'],
  ['reason', 'string'],
  ['received_at', 'datetime'],
  ['uuid_ts', 'datetime'],
])
