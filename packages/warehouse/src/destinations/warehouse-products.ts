import { systemClock } from '@sluice/core'
import { createGuardedSockets, createHttpClient } from '@sluice/delivery'
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

/** Returns all products. @param allowAddresses addresses besides public ones to which they may connect. */
export function warehouseProducts(allowAddresses: readonly string[]): readonly WarehouseProduct[] {
  const socket = createGuardedSockets(allowAddresses)
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
