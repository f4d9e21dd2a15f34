import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/column-type.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'

/** Longest text of a column that is a key. */
export const keyLengthMax = 255

/**
 * Returns the type of a new column. @param hasJson whether the server has a type for JSON; MariaDB has texts that are
 * checked, and would refuse others.
 */
export function nativeTypeOf(type: ColumnType, isKey: boolean, hasJson: boolean): string {
  if (isKey) return `varchar(${keyLengthMax})`
  switch (type) {
    case 'boolean':
      return 'tinyint(1)'
    case 'int':
      return 'bigint'
    case 'float':
      return 'double'
    case 'datetime':
      return 'datetime(3)'
    case 'json':
      return hasJson ? 'json' : 'longtext'
    default:
      return 'longtext'
  }
}

const types: Readonly<Record<string, Omit<LiveColumn, 'native'>>> = {
  bigint: { type: 'int' },
  int: { type: 'int', bits: 32 },
  smallint: { type: 'int', bits: 16 },
  double: { type: 'float' },
  float: { type: 'float' },
  datetime: { type: 'datetime' },
  timestamp: { type: 'datetime' },
  longtext: { type: 'string' },
  mediumtext: { type: 'string', lengthMax: 2 ** 22 },
  text: { type: 'string', lengthMax: 2 ** 14 },
  json: { type: 'json' },
}

/** @param native as in `information_schema.columns.column_type`; @param length in characters, of texts. */
export function liveColumnOf(native: string, length: number | null): LiveColumn {
  if (native === 'tinyint(1)') return { type: 'boolean', native }
  const [name = ''] = native.split(/[ (]/)
  if ((name === 'varchar' || name === 'char') && length !== null) return { type: 'string', native, lengthMax: length }
  // The display width of older servers, as in bigint(20), does not matter; unsigned numbers have no place for negative ones.
  const known = native.includes('unsigned') ? undefined : types[name]
  return { ...(known ?? { type: undefined }), native }
}

/** Returns a value as the driver writes it. */
export function writtenValue(value: ColumnValue, type: ColumnType): string | number | boolean | null {
  if (value === null) return null
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'string') return value
  if (type === 'datetime') return value.replace('T', ' ').replace('Z', '')
  return type === 'json' ? wellFormedJson(value) : value
}
