import type { WarehouseProvider } from './provider.ts'
import { reservedWordsOf } from './reserved-words.ts'

/** What differs between products when rows are made. */
export interface Dialect {
  readonly provider: WarehouseProvider
  /** Names of tables and columns are upper case. */
  readonly isUpperCase: boolean
  /** Names are cut to so many characters. */
  readonly nameLengthMax: number
  /** Words that are not allowed as names, in lower case. */
  readonly reserved: ReadonlySet<string>
  /** Type of JSON columns. */
  readonly jsonType: 'json' | 'string'
  /** Type of the column with the whole event. */
  readonly eventType: 'json' | 'text' | 'string'
  /** Whether `violationErrors` of an event is a JSON column. */
  readonly hasViolationErrors: boolean
  /** Whether JSON paths can be set for the destination. Those of an event apply everywhere. */
  readonly readsJsonPaths: boolean
  /** Whether the option `DATA_WAREHOUSE` of an event applies. */
  readonly readsSharedOptions: boolean
  /** Texts longer than this, in UTF-16 units, have the type `text`. */
  readonly stringLengthMax: number
  /** Whether every table has the column `loaded_at`. */
  readonly hasLoadedAt: boolean
  /** Tables for files: no limit of columns, no length of names, fewer times in `users`. */
  readonly isDataLake: boolean
  /** Whether users are stored at all. */
  readonly hasUsers: boolean
  /** Whether identities can be resolved by merge rules. */
  readonly mergesIdentities: boolean
}

const dataLakes: readonly WarehouseProvider[] = ['s3_datalake', 'gcs_datalake', 'azure_datalake']
const snowflakes: readonly WarehouseProvider[] = ['snowflake', 'snowpipe_streaming']

/** Returns what is different about a product. Source: packages/docs/behaviour/warehouses.md#products. */
export function dialectOf(provider: WarehouseProvider): Dialect {
  const isDataLake = dataLakes.includes(provider)
  const isSnowflake = snowflakes.includes(provider)
  const isOwn = provider === 'duckdb' || provider === 'mysql'
  const hasJson = provider === 'postgres' || isSnowflake || isOwn
  return {
    provider,
    isUpperCase: isSnowflake,
    nameLengthMax: isDataLake ? Number.POSITIVE_INFINITY : (lengths[provider] ?? 127),
    reserved: reservedWordsOf(provider),
    jsonType: hasJson || provider === 'rs' ? 'json' : 'string',
    eventType:
      provider === 'rs'
        ? 'text'
        : provider === 'postgres' || isSnowflake || provider === 'mssql' || provider === 'azure_synapse' || isOwn
          ? 'json'
          : 'string',
    hasViolationErrors: hasJson,
    readsJsonPaths: hasJson || provider === 'rs' || provider === 'bq',
    readsSharedOptions: provider !== 'snowpipe_streaming' && (hasJson || provider === 'rs' || provider === 'bq'),
    stringLengthMax: provider === 'rs' ? 512 : Number.POSITIVE_INFINITY,
    hasLoadedAt: provider === 'bq',
    isDataLake,
    hasUsers: provider !== 'snowpipe_streaming',
    mergesIdentities: provider === 'snowflake' || provider === 'bq',
  }
}

const lengths: Partial<Record<WarehouseProvider, number>> = { postgres: 63, mysql: 64, duckdb: 255 }
