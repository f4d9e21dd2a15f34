import type { DeadLetter, DeferredEvent } from '@sluice/pipeline'
import { usersOf } from '../../../users-of.ts'
import { inChunks } from '../../in-chunks.ts'
import type { Db } from '../../sql-session.ts'

/** Tables that say whose events two others hold. Their rows go together with those of the others. */
type UserTable = 'deferred_event_user' | 'dead_letter_user'

/** Writes down whose the events are, in a transaction. */
export async function putUsers(
  db: Db,
  table: UserTable,
  events: readonly (DeferredEvent | DeadLetter)[],
): Promise<void> {
  const rows = events.flatMap((event) =>
    usersOf(event).map((user_id) => ({ workspace_id: event.workspaceId, user_id, event_id: event.id })),
  )
  await inChunks(rows, (chunk) => db.insertInto(table).values(chunk).execute())
}

/** Writes down whose deferred events are that have changed; nothing for those that are no longer stored. */
export async function replaceUsers(db: Db, events: readonly DeferredEvent[]): Promise<void> {
  await inChunks(events, async (chunk) => {
    const ids = chunk.map(({ id }) => id)
    await db.deleteFrom('deferred_event_user').where('event_id', 'in', ids).execute()
    const rows = await db.selectFrom('deferred_event').select('id').where('id', 'in', ids).execute()
    const stored = new Set(rows.map(({ id }) => id))
    await putUsers(
      db,
      'deferred_event_user',
      chunk.filter(({ id }) => stored.has(id)),
    )
  })
}

/** Returns the ids of the events of some users, each once. */
export async function idsOfUsers(
  db: Db,
  table: UserTable,
  workspaceId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const ids = new Set<string>()
  await inChunks(userIds, async (chunk) => {
    const ofUsers = db.selectFrom(table).select('event_id').where('workspace_id', '=', workspaceId)
    for (const { event_id } of await ofUsers.where('user_id', 'in', chunk).execute()) ids.add(event_id)
  })
  return [...ids]
}

/** Rows that are read at a time: their texts may be large. */
const rowsAtOnce = 200

/** Writes down again, from the events themselves, whose they are. */
export async function rebuildUsers(db: Db): Promise<void> {
  await rebuild(db, 'deferred_event_user', (after) =>
    db
      .selectFrom('deferred_event')
      .select(['seq', 'event_json as json'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute(),
  )
  await rebuild(db, 'dead_letter_user', (after) =>
    db
      .selectFrom('dead_letter')
      .select(['seq', 'letter_json as json'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute(),
  )
}

async function rebuild(
  db: Db,
  table: UserTable,
  pageAfter: (seq: number) => Promise<readonly { readonly seq: number; readonly json: string }[]>,
): Promise<void> {
  await db.deleteFrom(table).execute()
  for (let after = -1; ; ) {
    const rows = await pageAfter(after)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    await putUsers(
      db,
      table,
      rows.map(({ json }): DeferredEvent | DeadLetter => JSON.parse(json)),
    )
  }
}
