import type { HttpClient } from '@sluice/delivery'
import type { Warehouse } from '../../load/warehouse.ts'
import { CloudSession } from '../cloud/cloud-session.ts'
import { sql } from '../sql/statement.ts'
import { createDatabricksClient, type DatabricksServer } from './databricks-client.ts'
import { databricksDialect } from './databricks-dialect.ts'

export interface DatabricksSettings extends DatabricksServer {
  readonly catalog: string
  /** The schema for the tables, which is created when it does not exist. */
  readonly namespace: string
}

/** A Databricks catalog as a warehouse, over the Statement Execution API. */
export function createDatabricksWarehouse(
  { catalog, namespace, ...server }: DatabricksSettings,
  http: Pick<HttpClient, 'open'>,
): Warehouse {
  return {
    limits: { columnsMax: 2_000, ignoresCase: true },
    async connect(signal) {
      signal.throwIfAborted()
      const client = createDatabricksClient(server, {
        http,
        signal,
        place: `Databricks ${new URL(server.origin).host}`,
      })
      await client.rows(sql`select 1 as one`)
      return new CloudSession(client, databricksDialect(catalog, namespace))
    },
  }
}
