import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import type { CloudRow } from '../cloud/cloud-client.ts'
import type { CloudDialect } from '../cloud/cloud-dialect.ts'
import { quoted } from '../sql/quoted.ts'
import { Bound, sql } from '../sql/statement.ts'

/** The length of a text column without a length of its own, and more. */
const unlimitedLength = 16_777_216

/**
 * SQL of Snowflake. Its JSON type is VARIANT. Source: Snowflake docs, SQL data types and SQL command reference
 * (https://docs.snowflake.com/en/sql-reference).
 */
export function snowflakeDialect(database: string, namespace: string): CloudDialect {
  const schema = namespace.toUpperCase()
  const place = `${quoted(database.toUpperCase())}.${quoted(schema)}`
  return {
    own: { text: 'varchar', integer: 'number(38,0)', time: 'timestamp_tz', stagedRow: 'variant' },
    cased: (name) => name.toUpperCase(),
    quoted,
    nameOf: (table) => `${place}.${quoted(table)}`,
    nativeTypeOf,
    columns: sql`select table_name, column_name, data_type, character_maximum_length, numeric_scale from ${quoted(database.toUpperCase())}.information_schema.columns where table_schema = ${new Bound(schema)} order by table_name, ordinal_position`,
    liveColumnOf,
    erasure: {
      text: (column, family) => `collate(${family === 'json' ? 'to_json' : 'to_varchar'}(${column}), '')`,
      matches: (column, pattern) => `regexp_instr(to_varchar(${column}), '${pattern}') > 0`,
      without: (column, pattern) => `regexp_replace(to_varchar(${column}), '${pattern}', '')`,
      time: (iso, native) =>
        native === 'TIMESTAMP_NTZ' ? `'${iso.replace('Z', '')}'::timestamp_ntz` : `'${iso}'::timestamp_tz`,
      date: (day) => `date '${day}'`,
      valuesMax: 1_000,
    },
    createNamespace: sql`create schema if not exists ${place}`,
    createTable: (name, definitions) => sql`create table if not exists ${name} (${definitions})`,
    addColumns: (name, definitions) => [sql`alter table ${name} add column ${definitions.join(', ')}`],
    elementsOf: (array) => sql`select value as data from table(flatten(input => parse_json(${array})))`,
    staged: (place, type) => {
      const text = `data[${place}]::varchar`
      if (type === 'json') return `parse_json(${text})`
      return type === 'string' || type === 'text' ? text : `cast(${text} as ${nativeTypeOf(type)})`
    },
    dayAgo: 'dateadd(day, -1, current_timestamp())',
  }
}

function nativeTypeOf(type: ColumnType): string {
  switch (type) {
    case 'boolean':
      return 'boolean'
    case 'int':
      return 'number(38,0)'
    case 'float':
      return 'double precision'
    case 'datetime':
      return 'timestamp_tz'
    case 'json':
      return 'variant'
    default:
      return 'varchar'
  }
}

function liveColumnOf(row: CloudRow): LiveColumn {
  const native = row['data_type'] ?? ''
  if (native === 'TEXT') {
    const length = Number(row['character_maximum_length'] ?? unlimitedLength)
    return { type: 'string', native, lengthMax: length < unlimitedLength ? length : undefined }
  }
  if (native === 'NUMBER') return { type: row['numeric_scale'] === '0' ? 'int' : undefined, native }
  if (native.startsWith('TIMESTAMP')) return { type: 'datetime', native }
  const types: Readonly<Record<string, ColumnType>> = { BOOLEAN: 'boolean', FLOAT: 'float', VARIANT: 'json' }
  return { type: types[native], native }
}
