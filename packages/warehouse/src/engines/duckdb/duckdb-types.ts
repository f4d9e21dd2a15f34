import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'

/** Returns the type of a new column. Times are UTC, in a type that every client shows as it is. */
export function nativeTypeOf(type: ColumnType): string {
  switch (type) {
    case 'boolean':
      return 'BOOLEAN'
    case 'int':
      return 'BIGINT'
    case 'float':
      return 'DOUBLE'
    case 'datetime':
      return 'TIMESTAMP'
    case 'json':
      return 'JSON'
    default:
      return 'VARCHAR'
  }
}

const types: Readonly<Record<string, Omit<LiveColumn, 'native'>>> = {
  BOOLEAN: { type: 'boolean' },
  BIGINT: { type: 'int' },
  INTEGER: { type: 'int', bits: 32 },
  SMALLINT: { type: 'int', bits: 16 },
  DOUBLE: { type: 'float' },
  FLOAT: { type: 'float' },
  TIMESTAMP: { type: 'datetime' },
  'TIMESTAMP WITH TIME ZONE': { type: 'datetime' },
  VARCHAR: { type: 'string' },
  JSON: { type: 'json' },
}

/** Returns a column by the name that DuckDB shows for its type. */
export function liveColumnOf(native: string): LiveColumn {
  return { ...(types[native] ?? { type: undefined }), native }
}
