import type { HttpClient } from '@sluice/delivery'
import type { Warehouse } from '../../load/warehouse.ts'
import { CloudSession } from '../cloud/cloud-session.ts'
import { sql } from '../sql/statement.ts'
import { createSnowflakeClient, type SnowflakeServer } from './snowflake-client.ts'
import { snowflakeDialect } from './snowflake-dialect.ts'

export interface SnowflakeSettings extends SnowflakeServer {
  /** The schema for the tables. */
  readonly namespace: string
}

/** A Snowflake database as a warehouse, over its SQL API. */
export function createSnowflakeWarehouse(
  { namespace, ...server }: SnowflakeSettings,
  http: Pick<HttpClient, 'open'>,
): Warehouse {
  return {
    limits: { columnsMax: 2_000, ignoresCase: false },
    async connect(signal) {
      signal.throwIfAborted()
      const client = createSnowflakeClient(server, { http, signal, place: `Snowflake ${server.account}` })
      await client.rows(sql`select 1 as one`)
      return new CloudSession(client, snowflakeDialect(server.database, namespace))
    },
  }
}
