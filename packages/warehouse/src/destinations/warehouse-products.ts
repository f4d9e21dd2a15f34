import { systemClock } from '@sluice/core'
import { createGuardedSockets, createHttpClient, type GuardedSockets } from '@sluice/delivery'
import { bigqueryProduct } from './bigquery.ts'
import { clickhouseProduct } from './clickhouse.ts'
import { databricksProduct } from './databricks.ts'
import type { WarehouseProduct } from './define-warehouse.ts'
import { duckdbProduct } from './duckdb.ts'
import { mysqlProduct } from './mysql.ts'
import { parquetProduct } from './parquet.ts'
import { postgresProduct } from './postgres.ts'
import { redshiftProduct } from './redshift.ts'
import { s3DatalakeProduct } from './s3-datalake.ts'
import { snowflakeProduct } from './snowflake.ts'

export interface WarehouseProductsOptions {
  /** Opens a socket that connects to allowed addresses only. Default: one for `allowAddresses`. */
  readonly socket?: GuardedSockets
  /** Addresses besides public ones to which requests may go. Default: none. */
  readonly allowAddresses?: readonly string[]
}

/** Returns all products. */
export function warehouseProducts({
  allowAddresses = [],
  socket = createGuardedSockets(allowAddresses),
}: WarehouseProductsOptions = {}): readonly WarehouseProduct[] {
  const http = { client: createHttpClient({ allowAddresses }), clock: systemClock }
  return [
    duckdbProduct(),
    parquetProduct(),
    postgresProduct(socket),
    mysqlProduct(socket),
    clickhouseProduct(http.client),
    s3DatalakeProduct(http),
    bigqueryProduct(http.client),
    snowflakeProduct(http.client),
    redshiftProduct(socket),
    databricksProduct(http.client),
  ]
}
