import { bigqueryRowDialect } from '../engines/bigquery/row-dialect.ts'
import { clickhouseRowDialect } from '../engines/clickhouse/row-dialect.ts'
import { databricksRowDialect } from '../engines/databricks/row-dialect.ts'
import { duckdbRowDialect } from '../engines/duckdb/row-dialect.ts'
import { mysqlRowDialect } from '../engines/mysql/row-dialect.ts'
import { lakeRowDialect } from '../engines/parquet/row-dialect.ts'
import { postgresRowDialect } from '../engines/postgres/row-dialect.ts'
import { redshiftRowDialect } from '../engines/redshift/row-dialect.ts'
import { snowflakeRowDialect } from '../engines/snowflake/row-dialect.ts'
import type { Dialect } from './dialect.ts'
import type { WarehouseProvider } from './provider.ts'
import { withoutEngine } from './without-engine.ts'

const dialects: Readonly<Record<WarehouseProvider, Dialect>> = {
  ...withoutEngine,
  bq: bigqueryRowDialect,
  clickhouse: clickhouseRowDialect,
  deltalake: databricksRowDialect,
  duckdb: duckdbRowDialect,
  mysql: mysqlRowDialect,
  postgres: postgresRowDialect,
  rs: redshiftRowDialect,
  s3_datalake: lakeRowDialect,
  snowflake: snowflakeRowDialect,
}

/** Returns what is different about a product. */
export function dialectOf(provider: WarehouseProvider): Dialect {
  return dialects[provider]
}
