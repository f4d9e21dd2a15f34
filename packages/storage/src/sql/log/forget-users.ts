import { mayBeOf, withoutUsers } from '../../without-users.ts'
import type { Db, SqlSession } from '../sql-session.ts'

/** Batches, and bytes of their events, per transaction, so that other writes do not wait long. */
const batchesPerTransaction = 200
const bytesPerTransaction = 4 * 1024 ** 2

/**
 * Implements `EventLog.forgetUsers`. Reads the log once for any number of users. @returns the number of erased events.
 */
export async function forgetUsers(
  { write }: SqlSession,
  workspaceId: string,
  userIds: readonly string[],
): Promise<number> {
  const wanted = new Set(userIds)
  let erased = 0
  for (let after = 0; ; ) {
    const some = await write({ apply: (db) => forgetSome(db, workspaceId, after, wanted) })
    if (some === undefined) return erased
    erased += some.erased
    after = some.last
  }
}

/** @returns undefined when no batch follows the position. */
async function forgetSome(db: Db, workspaceId: string, after: number, wanted: ReadonlySet<string>) {
  const last = await endOfRange(db, workspaceId, after)
  if (last === undefined) return undefined
  const rows = await db
    .selectFrom('log_batch')
    .select(['position', 'events_json'])
    .where('workspace_id', '=', workspaceId)
    .where('position', '>', after)
    .where('position', '<=', last)
    .execute()
  let erased = 0
  for (const { position, events_json } of rows) {
    if (!mayBeOf(events_json, wanted)) continue
    const without = withoutUsers(JSON.parse(events_json), wanted)
    if (without.erased === 0) continue
    erased += without.erased
    const text = JSON.stringify(without.kept)
    const change = { events_json: text, bytes: Buffer.byteLength(text) }
    await db.updateTable('log_batch').set(change).where('position', '=', position).execute()
  }
  return { last, erased }
}

/** Returns the position of the last batch that goes into one transaction with the first one after `after`. */
async function endOfRange(db: Db, workspaceId: string, after: number): Promise<number | undefined> {
  // Answered from the index, without reading events.
  const sizes = await db
    .selectFrom('log_batch')
    .select(['position', 'bytes'])
    .where('workspace_id', '=', workspaceId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(batchesPerTransaction)
    .execute()
  let left = bytesPerTransaction
  const tooFar = sizes.findIndex(({ bytes }, i) => {
    left -= bytes
    return i > 0 && left < 0
  })
  return (tooFar < 0 ? sizes.at(-1) : sizes[tooFar - 1])?.position
}
