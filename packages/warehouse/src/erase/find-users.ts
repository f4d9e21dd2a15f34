import { sql } from '../engines/sql/statement.ts'
import { discardsTable } from '../evolve/discard.ts'
import type { LiveSchema } from '../evolve/live-schema.ts'
import type { ErasedTable, ErasedUser, Search } from '../load/warehouse.ts'
import { eraseUsers } from './erase-users.ts'
import type { ErasureStore } from './erasure-store.ts'

/**
 * Finds what `eraseUsers` would delete, by the same statements, and deletes nothing.
 * @returns the rows of each user, in their order. A row that is found by two columns counts twice.
 * @throws WarehouseError that names the table, when one cannot be searched.
 */
export async function findUsers(
  store: ErasureStore,
  schema: LiveSchema,
  { userIds, signal }: Search,
): Promise<readonly ErasedUser[]> {
  const found: ErasedUser[] = []
  for (const userId of userIds) {
    const discards: ErasedTable[] = []
    const reading = readOnly(store, (rows) => discards.push({ table: discardsTable, rows }))
    const [user] = await eraseUsers(reading, schema, { userIds: [userId], usersPerBatch: 1, signal })
    found.push({ tables: [...(user?.tables ?? []), ...discards] })
  }
  return found
}

/** @param onDiscards called with the number of discards, where there are any, instead of deleting them. */
function readOnly(store: ErasureStore, onDiscards: (rows: number) => void): ErasureStore {
  return {
    sql: store.sql,
    discards: store.discards,
    rows: (statement) => store.rows(statement),
    eachPart: (table, work) =>
      store.eachPart(table, ({ from, columns }) => work({ from, columns, delete: async () => {} })),
    deleteDiscards: async (condition) => {
      if (store.discards === undefined) return
      const [counted] = await store.rows(sql`select count(*) as n from ${store.discards} where ${condition}`)
      const rows = Number(counted?.['n'] ?? 0)
      if (rows > 0) onDiscards(rows)
    },
  }
}
