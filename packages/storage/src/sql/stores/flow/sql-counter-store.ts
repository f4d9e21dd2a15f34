import type { CountDelta, CounterStore } from '@sluice/pipeline'
import { sumCounts } from '../../../sum-counts.ts'
import { compiledOnce } from '../../compiled-once.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import { unlessStored } from '../../write-mark.ts'

export function createSqlCounterStore({ dialect, read, write }: SqlSession): CounterStore {
  return {
    add: (deltas, writeId) =>
      write({ apply: unlessStored(dialect, { writeId, known: undefined }, async (db) => addCounts(db, deltas)) }),
    read: async (workspaceId) => {
      const rows = await read((db) =>
        db
          .selectFrom('counter')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .orderBy('source_id')
          .orderBy('destination_id')
          .orderBy('kind')
          .orderBy('reason')
          .execute(),
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

/** Counts of open transactions, not written yet. */
const pending = new WeakMap<Db, CountDelta[]>()

/** Adds counts in a transaction. `flushCounts` writes them once for all writes that share it. */
export function addCounts(db: Db, deltas: readonly CountDelta[]): void {
  const counts = pending.get(db)
  if (counts === undefined) pending.set(db, [...deltas])
  else for (const delta of deltas) counts.push(delta)
}

/** Writes the counts of a transaction. Must be called before its commit. */
export async function flushCounts(db: Db): Promise<void> {
  const deltas = pending.get(db) ?? []
  pending.delete(db)
  // Summed first: writes that share a commit mostly count the same.
  for (const delta of sumCounts(deltas)) await addCount(db, delta)
}

const addCount = compiledOnce<CountDelta, unknown>(
  ['workspaceId', 'sourceId', 'destinationId', 'kind', 'reason', 'count'],
  (db, delta) =>
    db
      .insertInto('counter')
      .values({
        workspace_id: delta.workspaceId,
        source_id: delta.sourceId,
        destination_id: delta.destinationId,
        kind: delta.kind,
        reason: delta.reason,
        total: delta.count,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'source_id', 'destination_id', 'kind', 'reason'])
          .doUpdateSet((eb) => ({ total: eb('counter.total', '+', eb.ref('excluded.total')) })),
      ),
)
