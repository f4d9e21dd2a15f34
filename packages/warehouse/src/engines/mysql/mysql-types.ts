import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'

/** What differs between servers. */
export interface ServerTypes {
  /** Whether there is a type for JSON; MariaDB has texts that are checked, and would refuse others. */
  readonly hasJson: boolean
  /** Keys must differ in blanks at the end, too: the binary collation of older servers takes `a` and `a ` for the same. */
  readonly keyCollation: string
}

/** The collation of tables, which ignores blanks at the end. */
export const tableCollation = 'utf8mb4_bin'
/** Those that do not, of MariaDB and of MySQL, the better one first. */
const exactCollations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin']

/** The server's version, and which of the exact collations it has: for `serverTypesOf`. */
export const serverTypesQuery = `select version() as version,
  (select group_concat(collation_name) from information_schema.collations
   where collation_name in (${exactCollations.map((name) => `'${name}'`).join()})) as collations`

export interface ServerTypesRow {
  readonly version: string
  /** Null when it has none, as MySQL 5. */
  readonly collations: string | null
}

export function serverTypesOf(row: ServerTypesRow | undefined): ServerTypes {
  const known = row?.collations?.split(',') ?? []
  return {
    hasJson: row?.version.includes('MariaDB') === false,
    keyCollation: exactCollations.find((name) => known.includes(name)) ?? tableCollation,
  }
}

/** Longest text of a column that is a key. */
export const keyLengthMax = 255

/** Returns the type of a new column that is a key. */
export function keyTypeOf({ keyCollation }: ServerTypes): string {
  return `varchar(${keyLengthMax}) character set utf8mb4 collate ${keyCollation}`
}

/** Returns the type of another new column. */
export function nativeTypeOf(type: ColumnType, { hasJson }: Pick<ServerTypes, 'hasJson'>): string {
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
