import { InvariantError } from '@sluice/core'
import type { CountDelta, CounterStore } from '@sluice/pipeline'
import { type Once, sumCounts, type WaitingCounts } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Query } from './connect/connect.ts'
import { noted } from './connect/numbered-writes.ts'
import { addNamedIf, namedApart } from './named-apart.ts'

/**
 * Counters as amounts that are added up later: processes that changed the same rows would wait for each other, and every
 * change of a row leaves a dead one behind. Counts that arrive while a statement runs share the next one.
 * @param once numbers the statements. @param stored adds counts that have an id, with the counters that processes share.
 */
export function createDeltaCounters(
  query: Query,
  { once, stored: shared }: { readonly once: Once; readonly stored: Omit<CounterStore, 'read'> },
): CounterStore {
  const store = async (deltas: readonly CountDelta[]): Promise<void> => {
    const sums = sumCounts(deltas)
    if (sums.length === 0) return
    await once(
      async ({ writer, number }) => {
        const { plain, namedJson } = namedApart(sums)
        const [answer] = await query<{ noted: number }>(addDeltas, [
          plain.map(({ workspaceId }) => workspaceId),
          plain.map(({ sourceId }) => sourceId),
          plain.map(({ destinationId }) => destinationId),
          plain.map(({ kind }) => kind),
          plain.map(({ reason }) => reason),
          plain.map(({ count }) => count),
          writer,
          number,
          namedJson,
        ])
        if (!answer?.noted) throw new InvariantError('two writers have the same id')
      },
      () => {},
    )
  }
  let waiting: { readonly deltas: CountDelta[]; readonly stored: Promise<void> } | undefined
  let last: Promise<unknown> = Promise.resolve()
  const begin = () => {
    const deltas: CountDelta[] = []
    const stored = last.then(() => {
      waiting = undefined
      return store(deltas)
    })
    // An error is for those who wait for it.
    last = stored.catch(() => {})
    return { deltas, stored }
  }
  return {
    add: (deltas, writeId) => {
      if (writeId !== undefined) return shared.add(deltas, writeId)
      waiting ??= begin()
      for (const delta of deltas) waiting.deltas.push(delta)
      return waiting.stored
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
    readNamed: shared.readNamed,
    tidyNamed: shared.tidyNamed,
  }
}

const addDeltas = `
  with ${noted('$7', '$8', 'true')},
  added as (
    insert into count_delta (workspace_id, source_id, destination_id, kind, reason, amount)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
    where exists (select from noted)
  ),
  ${addNamedIf('$9', 'exists (select from noted)')}
  select count(*) as noted from noted`

interface CounterRow {
  readonly source_id: string
  readonly destination_id: string
  readonly kind: CountDelta['kind']
  readonly reason: string
  readonly total: number
}

/** Amounts that are to be added up. */
export const waitingCounts: WaitingCounts = {
  addUp: sql`
    with taken as (
      delete from count_delta returning workspace_id, source_id, destination_id, kind, reason, amount
    )
    insert into counter (workspace_id, source_id, destination_id, kind, reason, total)
    select workspace_id, source_id, destination_id, kind, reason, sum(amount) from taken group by 1, 2, 3, 4, 5
    on conflict (workspace_id, source_id, destination_id, kind, reason)
      do update set total = counter.total + excluded.total`,
  of: (workspaceId) => sql`
    select source_id, destination_id, kind, reason, amount from count_delta where workspace_id = ${workspaceId}`,
}
