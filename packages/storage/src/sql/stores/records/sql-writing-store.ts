import { type Writing, type WritingStore, writingsMax, writingsPerUserMax } from '@sluice/regulation'
import { inChunks } from '../../in-chunks.ts'
import type { Db, SqlSession } from '../../sql-session.ts'

/** Writings are stored as JSON text, because a database may refuse some of their characters. */
export function createSqlWritingStore({ read, write }: SqlSession): WritingStore {
  return {
    add: async (workspaceId, writings) => {
      await write({ apply: (db) => inChunks(writings, (chunk) => addChunk(db, workspaceId, chunk)) })
    },
    of: async (workspaceId, userIds) => {
      const found: { readonly seq: number; readonly writing: Writing }[] = []
      await inChunks(userIds, async (chunk) => {
        for (const { seq, user_id, written_json } of await read((db) => ofUsers(db, workspaceId, chunk).execute()))
          found.push({ seq, writing: { userId: user_id, written: JSON.parse(written_json) } })
      })
      return found.sort((a, b) => a.seq - b.seq).map(({ writing }) => writing)
    },
    forget: async (workspaceId, userIds) => {
      await write({
        apply: (db) =>
          inChunks(userIds, (chunk) =>
            db.deleteFrom('id_writing').where('workspace_id', '=', workspaceId).where('user_id', 'in', chunk).execute(),
          ),
      })
    },
  }
}

async function addChunk(db: Db, workspaceId: string, writings: readonly Writing[]): Promise<void> {
  const users = [...new Set(writings.map(({ userId }) => userId))]
  const stored = await ofUsers(db, workspaceId, users).execute()
  const known = new Map(users.map((userId) => [userId, new Set<string>()]))
  for (const { user_id, written_json } of stored) known.get(user_id)?.add(written_json)
  const fresh = writings.flatMap(({ userId, written }) => {
    const of = known.get(userId)
    const written_json = JSON.stringify(written)
    if (of === undefined || of.has(written_json) || of.size >= writingsPerUserMax) return []
    of.add(written_json)
    return [{ workspace_id: workspaceId, user_id: userId, written_json }]
  })
  if (fresh.length === 0) return
  await db
    .insertInto('id_writing')
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Numbers grow with every writing, so this leaves at most as many.
  await db
    .deleteFrom('id_writing')
    .where('seq', '<=', (eb) =>
      eb.selectFrom('id_writing').select(({ fn, eb: sum }) => sum(fn.max('seq'), '-', writingsMax).as('last')),
    )
    .execute()
}

function ofUsers(db: Db, workspaceId: string, userIds: readonly string[]) {
  return db
    .selectFrom('id_writing')
    .select(['seq', 'user_id', 'written_json'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', 'in', userIds)
    .orderBy('seq')
}
