import type { SegmentStore } from '@sluice/regulation'
import { sql } from 'kysely'
import type { Db, SqlSession } from '../../sql-session.ts'
import { addChangesOfIdentities } from './rebuild-identities.ts'

/** Id of the only row of `suppression_state`. */
const only = 1

export function createSqlSegmentStore({ read, write }: SqlSession): SegmentStore {
  return {
    secret: async (fresh) =>
      write({
        apply: async (db) => {
          const row = { id: only, secret: Buffer.from(fresh), settled: 0, digest: null }
          await db
            .insertInto('suppression_state')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .execute()
          const kept = await db.selectFrom('suppression_state').select('secret').executeTakeFirstOrThrow()
          return Uint8Array.from(kept.secret)
        },
      }),
    write: async ({ number, position, bytes }) => {
      const row = { position, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
      await write({
        apply: (db) =>
          db
            .insertInto('suppression_segment')
            .values({ number, ...row })
            .onConflict((conflict) => conflict.column('number').doUpdateSet(row))
            .execute(),
      })
    },
    settle: async (position, digest) => {
      await write({
        apply: async (db) => {
          await db
            .updateTable('suppression_state')
            .set({ settled: position, digest: Buffer.from(digest) })
            .execute()
          await db.deleteFrom('regulation_change').where('position', '<=', position).execute()
        },
      })
    },
    settled: async () => {
      const row = await read((db) =>
        db.selectFrom('suppression_state').select(['settled', 'digest']).executeTakeFirst(),
      )
      return { position: row?.settled ?? 0, digest: row?.digest ? Uint8Array.from(row.digest) : undefined }
    },
    numbers: async () => {
      const rows = await read((db) => db.selectFrom('suppression_segment').select('number').orderBy('number').execute())
      return rows.map(({ number }) => number)
    },
    read: (number) =>
      read((db) => db.selectFrom('suppression_segment').selectAll().where('number', '=', number).executeTakeFirst()),
    reset: async () => {
      await write({ apply: rebuildSegments })
    },
  }
}

/** Deletes all segments, and turns the keys of active regulations into changes from which new segments are built. */
export async function rebuildSegments(db: Db): Promise<void> {
  await resetSegments(db)
  await addChangesOfIdentities(db)
}

/** The same with the first key of each regulation only, as stores had them before the others were compared. */
export async function resetSegments(db: Db): Promise<void> {
  await db.deleteFrom('suppression_segment').execute()
  await db.updateTable('suppression_state').set({ settled: 0, digest: null }).execute()
  await db.deleteFrom('regulation_change').execute()
  await db
    .insertInto('regulation_change')
    .columns(['workspace_id', 'user_id', 'delta'])
    .expression((from) =>
      from
        .selectFrom('regulation')
        .select(['workspace_id', 'user_id', sql<number>`1`.as('delta')])
        .where('canceled', '=', 0)
        .orderBy('seq'),
    )
    .execute()
}
