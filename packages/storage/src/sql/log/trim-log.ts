import type { KeptBatches, LogPosition } from '@sluice/pipeline'
import type { Db, SqlSession } from '../sql-session.ts'

/** Batches deleted in one transaction, so that other writes do not wait long behind a large trim. */
const batchesPerTransaction = 200

/**
 * Implements `EventLog.trim`.
 * @returns the newest position ever deleted.
 */
export async function trimLog(
  { read, write }: SqlSession,
  workspaceId: string,
  kept: KeptBatches,
): Promise<LogPosition> {
  // Summed once, because it reads every batch. Later appends are left to the next trim.
  let left = Number.POSITIVE_INFINITY
  if (kept.bytesMax > 0) left = await read((db) => bytesOf(db, workspaceId))
  for (;;) {
    const step = await write({ owner: workspaceId, apply: (db) => forgetSome(db, workspaceId, kept, left) })
    left = step.left
    if (step.isAll) return step.position
  }
}

async function bytesOf(db: Db, workspaceId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('log_batch')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return bytes ?? 0
}

/** @param size of the log in bytes. */
async function forgetSome(db: Db, workspaceId: string, { since, bytesMax }: KeptBatches, size: number) {
  const ofWorkspace = db.selectFrom('log_batch').where('workspace_id', '=', workspaceId)
  const { newest } = await ofWorkspace
    .select(({ fn }) => fn.max<number | null>('position').as('newest'))
    .executeTakeFirstOrThrow()
  const { slowest } = await db
    .selectFrom('log_cursor')
    .select(({ fn }) => fn.min<number | null>('position').as('slowest'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const passed = await ofWorkspace
    .select(['position', 'received_at', 'bytes'])
    .where('position', '<=', slowest ?? newest ?? 0)
    .orderBy('position')
    .limit(batchesPerTransaction)
    .execute()
  let left = size
  const toKeep = passed.findIndex(({ received_at, bytes }) => {
    if (received_at >= since && left <= bytesMax) return true
    left -= bytes
    return false
  })
  const last = passed.at(toKeep < 0 ? -1 : toKeep - 1)
  if (last === undefined || toKeep === 0) return { position: await trimmed(db, workspaceId), isAll: true, left }
  await db
    .deleteFrom('log_batch')
    .where('workspace_id', '=', workspaceId)
    .where('position', '<=', last.position)
    .execute()
  await db
    .insertInto('log_trimmed')
    .values({ workspace_id: workspaceId, position: last.position })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ position: last.position }))
    .execute()
  return { position: last.position, isAll: toKeep >= 0 || passed.length < batchesPerTransaction, left }
}

/** Returns the newest trimmed position, 0 when there is none. */
export async function trimmed(db: Db, workspaceId: string): Promise<LogPosition> {
  const row = await db
    .selectFrom('log_trimmed')
    .select('position')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.position ?? 0
}
