import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import type { CloudRow } from '../cloud/cloud-client.ts'
import type { RetypedColumn, TableDialect } from '../cloud/cloud-dialect.ts'
import { beyondFloat } from '../sql/beyond-float.ts'
import { quoted } from '../sql/quoted.ts'
import { Bound, sql } from '../sql/statement.ts'

/** The longest text that Redshift stores, in bytes. */
export const textBytesMax = 65_535

/**
 * Names and types of Redshift. Its JSON type is SUPER; it chooses sort keys itself. Source: AWS docs, Amazon Redshift SQL reference
 * (https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_SQLCommandRef.html).
 */
export function redshiftDialect(namespace: string): TableDialect {
  return {
    cased: (name) => name,
    quoted,
    nameOf: (table) => `${quoted(namespace)}.${quoted(table)}`,
    nativeTypeOf,
    columns: sql`select table_name, column_name, data_type, character_maximum_length, numeric_scale from svv_columns where table_schema = ${new Bound(namespace)} order by table_name, ordinal_position`,
    liveColumnOf,
    erasure: {
      text: (column, family) =>
        family === 'text' ? column : family === 'json' ? `json_serialize(${column})` : `cast(${column} as varchar)`,
      matches: (column, pattern) => `${column} ~ '${pattern}'`,
      time: (iso, native) => `'${iso}'::${native.includes('with time zone') ? 'timestamptz' : 'timestamp'}`,
      date: (day) => `date '${day}'`,
      valuesMax: 1_000,
    },
    createTable: (name, definitions) => sql`create table if not exists ${name} (${definitions})`,
    retyped,
    // One column per statement, and no `if not exists`.
    addColumns: (name, definitions) => definitions.map((each) => sql`alter table ${name} add column ${each}`),
  }
}

/** A new column takes the place of the old one: Redshift changes no type of a column itself, apart from lengths of texts. */
function retyped(name: string, column: string, to: Retyping['to']): RetypedColumn | undefined {
  if (to === 'datetime') return undefined
  const moved = quoted('sluice_retyped')
  const type = nativeTypeOf(to)
  return {
    statements: [
      sql`alter table ${name} add column ${moved} ${type}`,
      sql`update ${name} set ${moved} = cast(${column} as ${type})`,
      sql`alter table ${name} drop column ${column}`,
      sql`alter table ${name} rename column ${moved} to ${column}`,
    ],
    isLossy: to === 'float' ? beyondFloat(column) : undefined,
  }
}

function nativeTypeOf(type: ColumnType): string {
  switch (type) {
    case 'boolean':
      return 'boolean'
    case 'int':
      return 'bigint'
    case 'float':
      return 'double precision'
    case 'datetime':
      return 'timestamptz'
    case 'json':
      return 'super'
    default:
      return `varchar(${textBytesMax})`
  }
}

/** Returns a staged text in the type of a column, as SQL. */
export function typed(text: string, type: ColumnType): string {
  if (type === 'json') return `json_parse(${text})`
  return type === 'string' || type === 'text' ? text : `cast(${text} as ${nativeTypeOf(type)})`
}

function liveColumnOf(row: CloudRow): LiveColumn {
  const native = row['data_type'] ?? ''
  if (/^character/.test(native)) {
    const length = Number(row['character_maximum_length'] ?? textBytesMax)
    return { type: 'string', native: `${native}(${length})`, bytesMax: length }
  }
  if (native === 'numeric') return { type: row['numeric_scale'] === '0' ? 'int' : undefined, native }
  const bits = native === 'integer' ? { bits: 32 as const } : native === 'smallint' ? { bits: 16 as const } : {}
  const bytes = native === 'super' ? { bytesMax: textBytesMax } : {}
  return { type: types[native], native, ...bits, ...bytes }
}

const types: Readonly<Record<string, ColumnType>> = {
  boolean: 'boolean',
  bigint: 'int',
  integer: 'int',
  smallint: 'int',
  'double precision': 'float',
  real: 'float',
  'timestamp with time zone': 'datetime',
  'timestamp without time zone': 'datetime',
  super: 'json',
}
