import type { CountDelta, CounterStore } from '@sluice/pipeline'
import { sumCounts } from '@sluice/storage/sql'
import type { Query } from './connect/connect.ts'

/**
 * Counters as amounts that are added up later: processes that changed the same rows would wait for each other, and every
 * change of a row leaves a dead one behind.
 */
export function createDeltaCounters(query: Query): CounterStore {
  return {
    add: async (deltas) => {
      const sums = sumCounts(deltas)
      if (sums.length === 0) return
      await query(
        `insert into count_delta (workspace_id, source_id, destination_id, kind, reason, amount)
         select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])`,
        [
          sums.map(({ workspaceId }) => workspaceId),
          sums.map(({ sourceId }) => sourceId),
          sums.map(({ destinationId }) => destinationId),
          sums.map(({ kind }) => kind),
          sums.map(({ reason }) => reason),
          sums.map(({ count }) => count),
        ],
      )
    },
    read: async (workspaceId) => {
      const rows = await query<CounterRow>(
        `select source_id, destination_id, kind, reason, sum(amount) as total from (
           select source_id, destination_id, kind, reason, total as amount from counter where workspace_id = $1
           union all
           select source_id, destination_id, kind, reason, amount from count_delta where workspace_id = $1
         ) as both_tables
         group by source_id, destination_id, kind, reason order by source_id, destination_id, kind, reason`,
        [workspaceId],
      )
      return rows.map((row) => ({
        workspaceId,
        sourceId: row.source_id,
        destinationId: row.destination_id,
        kind: row.kind,
        reason: row.reason,
        count: row.total,
      }))
    },
  }
}

interface CounterRow {
  readonly source_id: string
  readonly destination_id: string
  readonly kind: CountDelta['kind']
  readonly reason: string
  readonly total: number
}
