import type { HttpClient } from '@sluice/delivery'
import type { Warehouse } from '../../load/warehouse.ts'
import { type ClickhouseServer, createClickhouseClient } from './clickhouse-client.ts'
import { ClickhouseSession } from './clickhouse-session.ts'

export interface ClickhouseSettings extends ClickhouseServer {
  /** The database for the tables, which is created when it does not exist. */
  readonly namespace: string
}

/** A ClickHouse server as a warehouse, over its HTTP interface. */
export function createClickhouseWarehouse(
  { namespace, ...server }: ClickhouseSettings,
  http: Pick<HttpClient, 'open'>,
): Warehouse {
  return {
    limits: { columnsMax: 1_000, ignoresCase: false, retypesTo: ['string', 'float'] },
    async connect(signal) {
      signal.throwIfAborted()
      const client = createClickhouseClient(server, http, signal)
      await client.rows('select 1 as one')
      return new ClickhouseSession(client, namespace)
    },
  }
}
