import type { HttpClient } from '@sluice/delivery'
import type { Warehouse } from '../../load/warehouse.ts'
import { CloudSession } from '../cloud/cloud-session.ts'
import { sql } from '../sql/statement.ts'
import { type BigqueryServer, createBigqueryClient } from './bigquery-client.ts'
import { bigqueryDialect } from './bigquery-dialect.ts'

export interface BigquerySettings extends BigqueryServer {
  /** The dataset for the tables, which is created when it does not exist. */
  readonly namespace: string
}

/** A BigQuery project as a warehouse, over its REST API. */
export function createBigqueryWarehouse(settings: BigquerySettings, http: Pick<HttpClient, 'open'>): Warehouse {
  return {
    limits: { columnsMax: 10_000, ignoresCase: true, retypesTo: ['float'] },
    async connect(signal) {
      signal.throwIfAborted()
      const client = createBigqueryClient(settings, { http, signal, place: `BigQuery ${settings.project}` })
      await client.rows(sql`select 1 as one`)
      return new CloudSession(client, bigqueryDialect(settings))
    },
  }
}
