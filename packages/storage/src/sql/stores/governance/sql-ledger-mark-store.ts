import type { LedgerMarkStore } from '@sluice/regulation'
import { inChunks } from '../../in-chunks.ts'
import type { SqlSession } from '../../sql-session.ts'

export function createSqlLedgerMarkStore({ read, write }: SqlSession): LedgerMarkStore {
  return {
    marks: async () => {
      const rows = await read((db) => db.selectFrom('ledger_mark').select(['name', 'text']).orderBy('name').execute())
      return new Map(rows.map(({ name, text }) => [name, text]))
    },
    mark: async (marks) => {
      const rows = [...marks].map(([name, text]) => ({ name, text }))
      if (rows.length === 0) return
      await write({
        apply: (db) =>
          inChunks(rows, async (chunk) => {
            const insert = db.insertInto('ledger_mark').values(chunk)
            await insert
              .onConflict((conflict) =>
                conflict.column('name').doUpdateSet(({ ref }) => ({ text: ref('excluded.text') })),
              )
              .execute()
          }),
      })
    },
    forget: async () => {
      await write({ apply: (db) => db.deleteFrom('ledger_mark').execute() })
    },
  }
}
