import { duckdbWords } from './duckdb-words.ts'
import { mysqlWords } from './mysql-words.ts'
import type { WarehouseProvider } from './provider.ts'

/** The words that PostgreSQL reserves, as RudderStack escapes them: ten are missing, and between, new, off, old added. */
const postgres = words(`
  all analyse analyze and any array as asc asymmetric authorization between binary both case cast check collate column
  constraint create cross current_date current_role current_time current_timestamp current_user default deferrable desc
  distinct do else end except false for foreign freeze from full grant group having ilike in initially inner intersect
  into is isnull join leading left like limit localtime localtimestamp natural new not notnull null off offset old on
  only or order outer overlaps placing primary references right select session_user similar some symmetric table then to
  trailing true union unique user using verbose when where`)

/** How the others differ from it. Names are always quoted, so the prefix is for people who write queries. */
const differences: Readonly<Partial<Record<WarehouseProvider, { readonly less?: string; readonly more?: string }>>> = {
  rs: { more: 'ignore nulls partition percent with' },
  snowflake: {
    less: 'analyse analyze array asc authorization default desc end limit offset primary references user',
    more: 'by current database qualify row rows schema start tablesample values with',
  },
  bq: {
    less: 'analyse analyze authorization check column constraint offset primary references table user',
    more: `at by current enum groups hash ignore interval merge no nulls partition proto range rows struct tablesample
      window with`,
  },
  deltalake: {
    less: 'analyse analyze asc default desc limit offset',
    more: 'at by current interval no partition position range row rows start tablesample time values window with',
  },
  s3_datalake: {
    less: 'analyse analyze any asc check default desc limit offset',
    more: `current database date exchange float int interval partition percent range row rows start tablesample time
      timestamp values window with`,
  },
  mssql: {
    less: 'analyse analyze offset',
    more: `action at by current data database date day float ignore index int interval key merge month no object partial
      partition percent pivot plan position range row rows schema size space start tablesample time value values window
      with year`,
  },
}

const aliases: Partial<Record<WarehouseProvider, WarehouseProvider>> = {
  snowpipe_streaming: 'snowflake',
  gcs_datalake: 'bq',
  azure_synapse: 'mssql',
  azure_datalake: 'mssql',
}

/** Returns the words that get `_` in front, in lower case. */
export function reservedWordsOf(provider: WarehouseProvider): ReadonlySet<string> {
  if (provider === 'clickhouse') return new Set()
  if (provider === 'duckdb') return new Set(words(duckdbWords))
  if (provider === 'mysql') return new Set(words(mysqlWords))
  const { less = '', more = '' } = differences[aliases[provider] ?? provider] ?? {}
  const without = new Set(words(less))
  return new Set([...postgres.filter((word) => !without.has(word)), ...words(more)])
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
