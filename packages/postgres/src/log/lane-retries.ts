import type { DeferredEntry, RetryStore } from '@sluice/pipeline'
import type { Query } from '../connect/connect.ts'

/**
 * The retries of a cluster: each process tries the events of its own lanes, and is notified when another one adds some.
 * @param onAdd called after events were added.
 */
export function createLaneRetries(
  retries: RetryStore,
  { query, held, onAdd }: { query: Query; held: () => ReadonlySet<number>; onAdd: (workspaceId: string) => void },
): RetryStore {
  return {
    ...retries,
    add: async (workspaceId, events, counts) => {
      await retries.add(workspaceId, events, counts)
      onAdd(workspaceId)
    },
    entries: async (workspaceId, destinationId) => {
      const rows = await query<{ id: string; user_keys_json: string; due_at: number }>(
        `select id, user_keys_json, due_at from deferred_event
         where workspace_id = $1 and destination_id = $2 and lane = any ($3::int[]) order by seq`,
        [workspaceId, destinationId, [...held()]],
      )
      return rows.map(
        (row): DeferredEntry => ({ id: row.id, userKeys: JSON.parse(row.user_keys_json), dueAt: row.due_at }),
      )
    },
  }
}
