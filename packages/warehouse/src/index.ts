export { defineWarehouse, type WarehouseProduct } from './destinations/define-warehouse.ts'
export { type WarehouseDestinationsOptions, warehouseDestinations } from './destinations/warehouse-destinations.ts'
export { type WarehouseProvider, warehouseProviders } from './dialects/provider.ts'
export { type BigquerySettings, createBigqueryWarehouse } from './engines/bigquery/bigquery-warehouse.ts'
export {
  type ClickhouseSettings,
  createClickhouseWarehouse,
} from './engines/clickhouse/clickhouse-warehouse.ts'
export { createDatabricksWarehouse, type DatabricksSettings } from './engines/databricks/databricks-warehouse.ts'
export { duckdbPlaceOf } from './engines/duckdb/duckdb-place.ts'
export { createDuckDBWarehouse, type DuckDBSettings } from './engines/duckdb/duckdb-warehouse.ts'
export { hasDuckDB, queryDuckDB } from './engines/duckdb/query/query-duckdb.ts'
export { type QueriedRows, queryInProcess } from './engines/duckdb/query/query-process.ts'
export { createMysqlWarehouse, type MysqlOptions, type MysqlSettings } from './engines/mysql/mysql-warehouse.ts'
export { createBucketWarehouse, createParquetWarehouse } from './engines/parquet/parquet-warehouse.ts'
export {
  createPostgresWarehouse,
  type PostgresOptions,
  type PostgresSettings,
} from './engines/postgres/postgres-warehouse.ts'
export { createRedshiftWarehouse, type RedshiftSettings } from './engines/redshift/redshift-warehouse.ts'
export { createSnowflakeWarehouse, type SnowflakeSettings } from './engines/snowflake/snowflake-warehouse.ts'
export type { ColumnValue } from './evolve/cast-value.ts'
export type { LiveColumn, LiveSchema, NewColumn, TableChange } from './evolve/live-schema.ts'
export { createLoader, type LoaderOptions } from './load/create-loader.ts'
export { prepareLoad } from './load/prepare-load.ts'
export { StagedRows } from './load/staged-rows.ts'
export type {
  ErasedTable,
  ErasedUser,
  Erasure,
  PreparedLoad,
  PreparedTable,
  Warehouse,
  WarehouseSession,
} from './load/warehouse.ts'
export { AlreadySettledError, WarehouseError } from './load/warehouse-error.ts'
export { sharedColumns } from './naming/shared-columns.ts'
export type { ColumnType } from './rows/columns/column-type.ts'
export { createRowMaker, type RowMaker, type RowMakerOptions, type RowsOf } from './rows/create-row-maker.ts'
export type { EventOrigin } from './rows/event/event-origin.ts'
export type { RowError } from './rows/row-error.ts'
export type { RowSettings } from './rows/row-settings.ts'
export { TableRow } from './rows/table-row.ts'
