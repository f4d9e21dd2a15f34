import { connect } from '../connect/connect.ts'
import { requireTables } from '../prepare-tables.ts'
import { channelOf, defaultSchema, lanesNotification, requireSchemaName, type StoreAddress } from '../store-address.ts'
import { checkCluster } from './check-cluster.ts'
import { type ClusterStatus, readClusterStatus } from './cluster-status.ts'
import { confirmLosses, type Loss } from './losses.ts'

export interface ListedNode {
  readonly id: string
  /** Whether it takes part, and was not asked to hold no lanes. */
  readonly takesLanes: boolean
}

/** Looks at a cluster, and steers it, from outside: takes no part in it. */
export interface ClusterOperator {
  /** Takes a fifth of a lease, in which beats are watched, and half of one when a process is silent. */
  status(): Promise<ClusterStatus>
  /** Returns which invariants do not hold, in words; empty when all do. */
  check(): Promise<readonly string[]>
  /** Returns the processes, without watching their beats. */
  nodes(): Promise<readonly ListedNode[]>
  /**
   * Asks a process to hold no lanes until it ends, or to take part again. It still takes events and answers requests.
   * @returns whether it is there.
   */
  drain(nodeId: string, isDraining: boolean): Promise<boolean>
  /** Returns how many lanes a process holds. */
  lanesOf(nodeId: string): Promise<number>
  /**
   * Confirms that what the database lacked is known: processes are not degraded any more. The audit log has it.
   * @param by name of the operator. @returns what was confirmed.
   */
  confirmLosses(by: string): Promise<readonly Loss[]>
  close(): Promise<void>
}

/** @throws StoreUnusableError, StoreVersionError when the store cannot be reached, or has not the tables of this release. */
export async function openClusterOperator({ url, schema = defaultSchema }: StoreAddress): Promise<ClusterOperator> {
  requireSchemaName(schema)
  const connection = await connect(url, schema, () => {})
  const { query } = connection
  try {
    await requireTables(connection, schema)
  } catch (error) {
    await connection.close()
    throw error
  }
  return {
    status: () => readClusterStatus(query),
    check: () => checkCluster(connection),
    nodes: async () => {
      const rows = await query<{ id: string; takes_lanes: boolean }>(
        'select id, is_member and not is_draining as takes_lanes from node order by id',
      )
      return rows.map(({ id, takes_lanes }) => ({ id, takesLanes: takes_lanes }))
    },
    drain: async (nodeId, isDraining) => {
      const found = await query(
        'update node set is_draining = ($2::int = 1) where id = $1 returning pg_notify($3, $4)',
        [nodeId, isDraining ? 1 : 0, channelOf(schema), lanesNotification],
      )
      return found.length > 0
    },
    lanesOf: async (nodeId) => {
      const [row] = await query<{ lanes: number }>('select count(*) as lanes from lane where node_id = $1', [nodeId])
      return row?.lanes ?? 0
    },
    confirmLosses: (by) => confirmLosses(query, by),
    close: () => connection.close(),
  }
}
