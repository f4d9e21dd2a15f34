import type { Warehouse } from '../../load/warehouse.ts'
import { type OpenOptions, openClient, type PostgresServer } from '../postgres/open-client.ts'
import { withinConnect } from '../sql/within-connect.ts'
import { textBytesMax } from './redshift-dialect.ts'
import { redshiftProblem } from './redshift-problem.ts'
import { RedshiftSession } from './redshift-session.ts'

export interface RedshiftSettings extends PostgresServer {
  /** The schema for the tables, which is created when it does not exist. */
  readonly namespace: string
}

/** Longest time of one statement, waits for locks included. */
const statementMs = 600_000

/** A Redshift database as a warehouse, over the protocol of PostgreSQL. */
export function createRedshiftWarehouse(
  { namespace, ...server }: RedshiftSettings,
  options: OpenOptions = {},
): Warehouse {
  const place = `Redshift ${server.host}:${server.port}/${server.database}`
  return {
    limits: { columnsMax: 1_600, ignoresCase: true, textBytesMax, retypesTo: ['string', 'float'] },
    async connect(signal) {
      const failed = (error: unknown): never => {
        signal.throwIfAborted()
        throw redshiftProblem(error, place)
      }
      const { client, close } = await openClient(server, options, signal).catch(failed)
      try {
        // Not sent when the connection begins, because Redshift knows other settings than PostgreSQL there.
        await withinConnect(client.query(`set statement_timeout to ${statementMs}`), {
          connectMs: options.connectMs ?? 10_000,
          cut: () => client.connection.stream.destroy(),
        })
      } catch (error) {
        await close()
        return failed(error)
      }
      return new RedshiftSession(client, namespace, place, close)
    },
  }
}
