import { systemClock } from '@sluice/core'
import { createGuardedSockets, createHttpClient } from '@sluice/delivery'
import type { WarehouseProduct } from './define-warehouse.ts'
import { bigqueryProduct } from './products/bigquery.ts'
import { clickhouseProduct } from './products/clickhouse.ts'
import { databricksProduct } from './products/databricks.ts'
import { duckdbProduct } from './products/duckdb.ts'
import { mysqlProduct } from './products/mysql.ts'
import { parquetProduct } from './products/parquet.ts'
import { postgresProduct } from './products/postgres.ts'
import { redshiftProduct } from './products/redshift.ts'
import { s3DatalakeProduct } from './products/s3-datalake.ts'
import { snowflakeProduct } from './products/snowflake.ts'

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
