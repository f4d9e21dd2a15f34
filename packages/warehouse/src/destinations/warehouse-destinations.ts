import { systemClock } from '@sluice/core'
import { createHttpClient, type GuardedSockets } from '@sluice/delivery'
import type { DestinationDefinition } from '@sluice/destinations'
import { bigqueryDestination } from './bigquery.ts'
import { clickhouseDestination } from './clickhouse.ts'
import { databricksDestination } from './databricks.ts'
import { duckdbDestination } from './duckdb.ts'
import { mysqlDestination } from './mysql.ts'
import { parquetDestination } from './parquet.ts'
import { postgresDestination } from './postgres.ts'
import { redshiftDestination } from './redshift.ts'
import { s3DatalakeDestination } from './s3-datalake.ts'
import { snowflakeDestination } from './snowflake.ts'

export interface WarehouseDestinationsOptions {
  /** Opens a socket that connects to allowed addresses only. Default: to any. */
  readonly socket?: GuardedSockets
  /** Addresses besides public ones to which HTTP requests may go. Default: none. */
  readonly allowAddresses?: readonly string[]
}

/** Returns all warehouses as destination types. */
export function warehouseDestinations({
  socket,
  allowAddresses = [],
}: WarehouseDestinationsOptions = {}): readonly DestinationDefinition[] {
  const http = { client: createHttpClient({ allowAddresses }), clock: systemClock }
  return [
    duckdbDestination(),
    parquetDestination(),
    postgresDestination(socket),
    mysqlDestination(socket),
    clickhouseDestination(http.client),
    s3DatalakeDestination(http),
    bigqueryDestination(http.client),
    snowflakeDestination(http.client),
    redshiftDestination(socket),
    databricksDestination(http.client),
  ]
}
