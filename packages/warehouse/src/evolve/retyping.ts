import type { ColumnType } from '../rows/columns/column-type.ts'

/** A column whose type should change, as far as that loses nothing. */
export interface Retyping {
  readonly table: string
  /** As the warehouse names it. */
  readonly column: string
  readonly from: ColumnType
  readonly to: 'string' | 'float' | 'datetime'
}
