import type { LiveSchema } from '../evolve/live-schema.ts'
import type { ErasedUser, Erasure } from '../load/warehouse.ts'
import { BatchErasure } from './batch-erasure.ts'
import type { ErasureStore } from './erasure-store.ts'
import { chunksOf, type WantedIds, wantedIds } from './find-ids.ts'

/**
 * Deletes rows of users from all tables: see packages/docs/behaviour/warehouses.md#erasure.
 *
 * Everything is found before it is deleted, and `identifies`, which links anonymous ids, is deleted last, so that an
 * attempt after a failure finds the same.
 *
 * @param together runs the work of one batch, in a transaction where the product has them.
 * @returns the deleted rows of each user, in their order. A row that belongs to two users counts for both, or for the
 * first that is searched.
 * @throws WarehouseError that names the table, when one cannot be searched.
 */
export async function eraseUsers(
  store: ErasureStore,
  schema: LiveSchema,
  { userIds, usersPerBatch, signal }: Erasure,
  together: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<readonly ErasedUser[]> {
  const counts = userIds.map(() => new Map<string, number>())
  for (const some of chunksOf([...wantedIds(userIds)], Math.max(1, usersPerBatch))) {
    signal.throwIfAborted()
    const wanted: WantedIds = new Map(some)
    await together(async () => {
      const count = (table: string, users: ReadonlySet<number>, rows: number): void => {
        for (const user of users) counts[user]?.set(table, (counts[user]?.get(table) ?? 0) + rows)
      }
      await new BatchErasure(store, schema, wanted, count, signal).run()
    })
  }
  return counts.map((tables) => ({ tables: [...tables].map(([table, rows]) => ({ table, rows })) }))
}
