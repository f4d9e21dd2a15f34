import type { CountDelta, CounterStore } from '@sluice/pipeline'
import { isNamed } from '@sluice/pipeline/store'
import { sumCounts } from '../../../sum-counts.ts'
import { compiledOnce } from '../../compiled-once.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import { unlessStored } from '../../write-mark.ts'
import { addNamedCounts, foldNamedCounts, pruneNamedCounts, readNamedCounts } from './named-counts.ts'

/** Writes of counts by name after which they are added up. */
const namedPerFold = 128

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
    readNamed: (query) => read((db) => readNamedCounts(db, query)),
    tidyNamed: async (now) => {
      while (await write({ apply: foldNamedCounts }));
      await write({ apply: (db) => pruneNamedCounts(db, now) })
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

/**
 * Writes the counts of a transaction. Must be called before its commit.
 * @param folds whether counts by name are added up now and then; otherwise only by `tidyNamed`.
 */
export async function flushCounts(db: Db, folds: boolean): Promise<void> {
  const deltas = pending.get(db) ?? []
  pending.delete(db)
  // Summed first: writes that share a commit mostly count the same.
  const sums = sumCounts(deltas)
  for (const delta of sums) if (!isNamed(delta)) await addCount(db, delta)
  const named = sums.filter(isNamed)
  if (named.length === 0) return
  const number = await addNamedCounts(db, named)
  if (folds && number % namedPerFold === 0) await foldNamedCounts(db)
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
