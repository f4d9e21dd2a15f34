import type { LiveColumn } from '../../evolve/live-schema.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import type { CloudRow } from '../cloud/cloud-client.ts'
import type { CloudDialect } from '../cloud/cloud-dialect.ts'
import { beyondFloat } from '../sql/beyond-float.ts'
import { quotedWithBackslashes } from '../sql/quoted.ts'
import { Bound, sql } from '../sql/statement.ts'

interface BigqueryPlace {
  readonly project: string
  readonly location: string
  /** The dataset for the tables. */
  readonly namespace: string
}

/**
 * SQL of BigQuery. Tables are partitioned by the day of received_at, so that a search in a window reads a part of them.
 * Source: Google docs, GoogleSQL for BigQuery (https://cloud.google.com/bigquery/docs/reference/standard-sql).
 */
export function bigqueryDialect({ project, location, namespace }: BigqueryPlace): CloudDialect {
  const dataset = `${quotedWithBackslashes(project)}.${quotedWithBackslashes(namespace)}`
  // Of the region: the view of a dataset is not there before the dataset.
  const region = quotedWithBackslashes(`region-${location.toLowerCase()}`)
  return {
    own: { text: 'string', integer: 'int64', time: 'timestamp', stagedRow: 'string' },
    cased: (name) => name,
    quoted: quotedWithBackslashes,
    nameOf: (table) => `${dataset}.${quotedWithBackslashes(table)}`,
    nativeTypeOf,
    columns: sql`select table_name, column_name, data_type from ${quotedWithBackslashes(project)}.${region}.INFORMATION_SCHEMA.COLUMNS where table_schema = ${new Bound(namespace)} order by table_name, ordinal_position`,
    liveColumnOf,
    erasure: {
      text: (column) => `collate(cast(${column} as string), '')`,
      matches: (column, pattern) => `regexp_contains(cast(${column} as string), '${pattern}')`,
      without: (column, pattern) => `regexp_replace(cast(${column} as string), '${pattern}', '')`,
      time: (iso, native) => (native === 'DATETIME' ? `datetime '${iso.replace('Z', '')}'` : `timestamp '${iso}'`),
      date: (day) => `date '${day}'`,
      valuesMax: 1_000,
    },
    createNamespace: sql`create schema if not exists ${dataset} options (location = '${location.replaceAll(/[^\w-]/g, '')}')`,
    createTable: (name, definitions, dated) =>
      sql`create table if not exists ${name} (${definitions})${dated === undefined ? '' : ` partition by timestamp_trunc(${dated}, day)`}`,
    addColumns: (name, definitions) => [
      sql`alter table ${name} ${definitions.map((each) => `add column ${each}`).join(', ')}`,
    ],
    // The only change of a type that it makes to columns with values.
    retyped: (name, column, to) =>
      to === 'float'
        ? {
            statements: [sql`alter table ${name} alter column ${column} set data type float64`],
            isLossy: beyondFloat(column),
          }
        : undefined,
    elementsOf: (array) => sql`select data from unnest(json_query_array(${array})) as data`,
    staged: (place, type) => {
      const text = `json_value(data, '$[${place}]')`
      return type === 'string' || type === 'text' ? text : `cast(${text} as ${nativeTypeOf(type)})`
    },
    dayAgo: 'timestamp_sub(current_timestamp(), interval 1 day)',
  }
}

function nativeTypeOf(type: ColumnType): string {
  switch (type) {
    case 'boolean':
      return 'bool'
    case 'int':
      return 'int64'
    case 'float':
      return 'float64'
    case 'datetime':
      return 'timestamp'
    default:
      return 'string'
  }
}

const types: Readonly<Record<string, ColumnType>> = {
  BOOL: 'boolean',
  INT64: 'int',
  FLOAT64: 'float',
  TIMESTAMP: 'datetime',
  STRING: 'string',
}

function liveColumnOf(row: CloudRow): LiveColumn {
  const native = row['data_type'] ?? ''
  const length = /^STRING\((\d+)\)$/.exec(native)?.[1]
  if (length !== undefined) return { type: 'string', native, lengthMax: Number(length) }
  return { type: types[native], native }
}
