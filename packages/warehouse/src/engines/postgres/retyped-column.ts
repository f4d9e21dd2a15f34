import type { Retyping } from '../../evolve/retyping.ts'
import { WarehouseError } from '../../load/warehouse-error.ts'
import { nativeTypeOf } from './postgres-types.ts'

/** How a column gets another type. */
interface RetypedColumn {
  readonly type: string
  /** Its values in the new type, in SQL. */
  readonly value: string
  /** A condition for rows whose value the new type does not have; undefined where there are none. */
  readonly isLossy?: string
}

/** @param column quoted. */
export function retypedColumn(column: string, to: Retyping['to']): RetypedColumn {
  const type = nativeTypeOf(to)
  const value = `${column}::${type}`
  if (to === 'float') return { type, value, isLossy: `${column}::float8::numeric <> ${column}::numeric` }
  if (to === 'string') return { type, value }
  return { type, value, isLossy: `${column} !~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'` }
}

/**
 * Returns false: the column keeps its type, such as when a view or an index needs it, the user may not change it, or others use
 * the table. @throws the error when the server has gone.
 */
export function isKept(error: unknown): false {
  // A SQLSTATE that says what is in the way; class 08 and 57P say that there is no connection.
  if (error instanceof WarehouseError && /^(?!08|57P)[0-9A-Z]{5}$/.test(error.code)) return false
  throw error
}
