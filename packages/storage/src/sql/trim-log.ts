import type { Db, SqlSession } from './sql-session.ts'

/** Batches forgotten in one transaction, so that nobody waits long behind a large trim. */
const batchesPerTransaction = 200

/** Forgets what every registered consumer has passed, but for the newest `keep` batches of the workspace. */
export async function trimLog({ write }: SqlSession, workspaceId: string, keep: number): Promise<void> {
  let forgotten: number
  do {
    forgotten = await write({ apply: (db) => forgetSome(db, workspaceId, keep) })
  } while (forgotten === batchesPerTransaction)
}

/** @returns how many batches it forgot. */
async function forgetSome(db: Db, workspaceId: string, keep: number): Promise<number> {
  const ofWorkspace = db.selectFrom('log_batch').select('position').where('workspace_id', '=', workspaceId)
  const newestToGo = await ofWorkspace.orderBy('position', 'desc').limit(1).offset(keep).executeTakeFirst()
  if (newestToGo === undefined) return 0
  const { slowest } = await db
    .selectFrom('log_cursor')
    .select(({ fn }) => fn.min<number | null>('position').as('slowest'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const oldest = await ofWorkspace
    .where('position', '<=', Math.min(newestToGo.position, slowest ?? newestToGo.position))
    .orderBy('position')
    .limit(batchesPerTransaction)
    .execute()
  const last = oldest.at(-1)
  if (last === undefined) return 0
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
  return oldest.length
}
