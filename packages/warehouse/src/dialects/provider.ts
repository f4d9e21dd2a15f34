/** Warehouse products for which rows are made. The names are RudderStack's, except for `duckdb` and `mysql`. */
export const warehouseProviders = [
  'azure_datalake',
  'azure_synapse',
  'bq',
  'clickhouse',
  'deltalake',
  'duckdb',
  'gcs_datalake',
  'mssql',
  'mysql',
  'postgres',
  'rs',
  's3_datalake',
  'snowflake',
  'snowpipe_streaming',
] as const

export type WarehouseProvider = (typeof warehouseProviders)[number]
