import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'

/** Returns the type of a new column. */
export function nativeTypeOf(type: ColumnType): string {
  switch (type) {
    case 'boolean':
      return 'boolean'
    case 'int':
      return 'bigint'
    case 'float':
      return 'double precision'
    case 'datetime':
      return 'timestamp with time zone'
    case 'json':
      return 'jsonb'
    default:
      return 'text'
  }
}

/** @param modifier as `pg_attribute.atttypmod`: of a text, its length and 4; -1 without one. */
export function liveColumnOf(typeName: string, native: string, modifier: number): LiveColumn {
  const length = modifier > 4 ? { lengthMax: modifier - 4 } : {}
  switch (typeName) {
    case 'bool':
      return { type: 'boolean', native }
    case 'int8':
      return { type: 'int', native }
    case 'int4':
      return { type: 'int', native, bits: 32 }
    case 'int2':
      return { type: 'int', native, bits: 16 }
    case 'float8':
    case 'float4':
      return { type: 'float', native }
    case 'numeric':
      // With a precision, values could be rounded or refused.
      return { type: modifier === -1 ? 'float' : undefined, native }
    case 'timestamptz':
    case 'timestamp':
      return { type: 'datetime', native }
    case 'text':
      return { type: 'string', native }
    case 'varchar':
    case 'bpchar':
      return { type: 'string', native, ...length }
    case 'json':
    case 'jsonb':
      return { type: 'json', native }
    default:
      return { type: undefined, native }
  }
}
