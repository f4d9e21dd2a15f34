import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import type { CloudRow } from '../cloud/cloud-client.ts'
import type { CloudDialect } from '../cloud/cloud-dialect.ts'
import { quotedWithTicks } from '../sql/quoted.ts'
import { Bound, sql } from '../sql/statement.ts'

/**
 * SQL of Databricks with Unity Catalog. Source: Databricks docs, SQL language reference
 * (https://docs.databricks.com/aws/en/sql/language-manual).
 */
export function databricksDialect(catalog: string, namespace: string): CloudDialect {
  const schema = `${quotedWithTicks(catalog)}.${quotedWithTicks(namespace)}`
  return {
    own: { text: 'string', integer: 'bigint', time: 'timestamp', stagedRow: 'string' },
    cased: (name) => name,
    quoted: quotedWithTicks,
    nameOf: (table) => `${schema}.${quotedWithTicks(table)}`,
    nativeTypeOf,
    columns: sql`select table_name, column_name, full_data_type from ${quotedWithTicks(catalog)}.information_schema.columns where table_schema = ${new Bound(namespace)} order by table_name, ordinal_position`,
    liveColumnOf,
    erasure: {
      text: (column) => `cast(${column} as string)`,
      matches: (column, pattern) => `regexp_like(cast(${column} as string), '${pattern}')`,
      without: (column, pattern) => `regexp_replace(cast(${column} as string), '${pattern}', '')`,
      time: (iso, native) =>
        native === 'timestamp_ntz' ? `timestamp_ntz '${iso.replace('Z', '')}'` : `timestamp '${iso}'`,
      date: (day) => `date '${day}'`,
      valuesMax: 100,
    },
    createNamespace: sql`create schema if not exists ${schema}`,
    createTable: (name, definitions) => sql`create table if not exists ${name} (${definitions}) using delta`,
    addColumns: (name, definitions) => [sql`alter table ${name} add columns (${definitions.join(', ')})`],
    elementsOf: (array) => sql`select explode(from_json(${array}, 'array<string>')) as data`,
    staged: (place, type) => {
      const text = `get_json_object(data, '$[${place}]')`
      return type === 'string' || type === 'text' ? text : `cast(${text} as ${nativeTypeOf(type)})`
    },
    dayAgo: 'current_timestamp() - interval 1 day',
  }
}

function nativeTypeOf(type: ColumnType): string {
  switch (type) {
    case 'boolean':
      return 'boolean'
    case 'int':
      return 'bigint'
    case 'float':
      return 'double'
    case 'datetime':
      return 'timestamp'
    default:
      return 'string'
  }
}

const known: readonly (readonly [native: RegExp, column: Omit<LiveColumn, 'native'>])[] = [
  [/^boolean$/, { type: 'boolean' }],
  [/^bigint$/, { type: 'int' }],
  [/^int$/, { type: 'int', bits: 32 }],
  [/^smallint$/, { type: 'int', bits: 16 }],
  [/^(?:double|float)$/, { type: 'float' }],
  [/^timestamp(?:_ntz)?$/, { type: 'datetime' }],
  [/^string$/, { type: 'string' }],
]

function liveColumnOf(row: CloudRow): LiveColumn {
  const native = row['full_data_type'] ?? ''
  const length = /^(?:var)?char\((\d+)\)$/.exec(native)?.[1]
  if (length !== undefined) return { type: 'string', native, lengthMax: Number(length) }
  return { ...(known.find(([form]) => form.test(native))?.[1] ?? { type: undefined }), native }
}
