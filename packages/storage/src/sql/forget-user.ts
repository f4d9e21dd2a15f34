import { sql } from 'kysely'
import { withoutUser } from '../without-user.ts'
import type { SqlSession } from './sql-session.ts'

/** Batches looked at in one transaction, so that nobody waits long behind it. */
const batchesPerTransaction = 50

/** See `EventLog.forgetUser`. @returns how many events were erased. */
export async function forgetUser({ write }: SqlSession, workspaceId: string, userId: string): Promise<number> {
  // As the id stands in JSON, as text or as what was no text; what it is a part of is looked at closely.
  const text = JSON.stringify(userId).slice(1, -1)
  // Ids are compared without invisible characters, so one that has them is not found by its text.
  const mayHide = sql<boolean>`events_json glob ${'*[^ -~]*'} or instr(events_json, ${'\\'}) > 0`
  let erased = 0
  let after = 0
  for (;;) {
    const { last, count } = await write({
      apply: async (db) => {
        const rows = await db
          .selectFrom('log_batch')
          .select(['position', 'events_json'])
          .where('workspace_id', '=', workspaceId)
          .where('position', '>', after)
          .where(sql<boolean>`(instr(events_json, ${text}) > 0 or instr(events_json, ${userId}) > 0 or ${mayHide})`)
          .orderBy('position')
          .limit(batchesPerTransaction)
          .execute()
        let count = 0
        for (const { position, events_json } of rows) {
          const events = withoutUser(JSON.parse(events_json), userId)
          if (events.erased === 0) continue
          count += events.erased
          const text = JSON.stringify(events.kept)
          const change = { events_json: text, bytes: Buffer.byteLength(text) }
          await db.updateTable('log_batch').set(change).where('position', '=', position).execute()
        }
        return { last: rows.length === batchesPerTransaction ? rows.at(-1)?.position : undefined, count }
      },
    })
    erased += count
    if (last === undefined) return erased
    after = last
  }
}
