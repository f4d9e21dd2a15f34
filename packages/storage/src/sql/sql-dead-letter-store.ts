import { type Clock, identifierText } from '@sluice/core'
import type { CountDelta, DeadLetter, DeadLetterLimits, DeadLetterStore } from '@sluice/pipeline'
import { exceeded, type ForgottenFor, letterText, usageOf } from '../dead-letter-limits.ts'
import { addCounts } from './sql-counter-store.ts'
import { putDeferred } from './sql-retry-store.ts'
import { type Db, inChunks, type SqlSession } from './sql-session.ts'

export interface SqlDeadLetterStore extends Omit<DeadLetterStore, 'limits'> {
  /** Keeps letters as part of a transaction, and forgets the oldest where there are too many. */
  put(db: Db, letters: readonly DeadLetter[]): Promise<void>
}

/** Letters forgotten at a time, so that nobody waits long behind it. */
const forgottenAtOnce = 200

export function createSqlDeadLetterStore(
  { read, write }: SqlSession,
  { limits, clock }: { readonly limits: DeadLetterLimits; readonly clock: Clock },
): SqlDeadLetterStore {
  async function makeRoom(db: Db): Promise<void> {
    for (;;) {
      const usage = await usedBy(db)
      const reason = exceeded(usage, limits)
      if (reason === undefined) return
      const oldest = await oldestRows(db)
      let { letters, bytes } = usage
      const needed = oldest.findIndex((row) => {
        letters -= 1
        bytes -= row.bytes
        return exceeded({ letters, bytes }, limits) === undefined
      })
      await forget(db, needed < 0 ? oldest : oldest.slice(0, needed + 1), reason)
    }
  }

  return {
    put: async (db, letters) => {
      if (letters.length === 0) return
      const rows = letters.map(rowOf)
      await inChunks(rows, (chunk) => db.insertInto('dead_letter').values(chunk).execute())
      await addUsage(db, rows.length, total(rows))
      await makeRoom(db)
    },
    list: async (workspaceId, { destinationId, after, limit }) => {
      const rows = await read((db) => {
        let query = db
          .selectFrom('dead_letter')
          .select('letter_json')
          .where('workspace_id', '=', workspaceId)
          .orderBy('seq')
          .limit(limit)
        if (destinationId !== undefined) query = query.where('destination_id', '=', destinationId)
        if (after !== undefined)
          query = query.where('seq', '>', (eb) =>
            eb.fn.coalesce(eb.selectFrom('dead_letter').select('seq').where('id', '=', after), eb.val(0)),
          )
        return query.execute()
      })
      return rows.map((row) => JSON.parse(row.letter_json))
    },
    find: async (workspaceId, id) => {
      const row = await read((db) => ofIds(db, workspaceId, [id]).executeTakeFirst())
      return row && JSON.parse(row.letter_json)
    },
    ofMessage: async (workspaceId, messageId, limit) => {
      const rows = await read((db) =>
        db
          .selectFrom('dead_letter')
          .select('letter_json')
          .where('workspace_id', '=', workspaceId)
          .where('message_id', '=', messageId)
          .orderBy('seq')
          .limit(limit)
          .execute(),
      )
      return rows.map((row) => JSON.parse(row.letter_json))
    },
    replay: (workspaceId, replays) =>
      write({
        apply: async (db) => {
          const byId = new Map(replays.map((replay) => [replay.id, replay]))
          const taken = await take(db, workspaceId, [...byId.keys()])
          const there = taken.flatMap((id) => byId.get(id) ?? [])
          await putDeferred(
            db,
            there.map(({ deferred }) => deferred),
          )
          addCounts(
            db,
            there.flatMap(({ counts }) => counts),
          )
          return there.map(({ deferred }) => deferred)
        },
      }),
    remove: (workspaceId, ids) => write({ apply: async (db) => (await take(db, workspaceId, ids)).length }),
    forgetUsers: (workspaceId, userIds) =>
      write({
        apply: async (db) => {
          const theirs: string[] = []
          await inChunks(userIds, async (chunk) => {
            const ofUsers = db.selectFrom('dead_letter').where('workspace_id', '=', workspaceId)
            const rows = await ofUsers.select('id').where('user_id', 'in', chunk).execute()
            theirs.push(...rows.map(({ id }) => id))
          })
          return (await take(db, workspaceId, theirs)).length
        },
      }),
    usage: async () => {
      const { letters, bytes } = await read(usedBy)
      return usageOf(letters, bytes, limits)
    },
    forgetOld: async () => {
      let forgotten: number
      do {
        forgotten = await write({
          apply: async (db) => {
            const rows = await oldestRows(db, clock.now() - limits.ageMsMax)
            await forget(db, rows, 'age')
            return rows.length
          },
        })
      } while (forgotten === forgottenAtOnce)
    },
  }
}

type Row = Awaited<ReturnType<typeof oldestRows>>[number]

function oldestRows(db: Db, before = Number.MAX_SAFE_INTEGER) {
  return db
    .selectFrom('dead_letter')
    .select(['seq', 'workspace_id', 'destination_id', 'source_id', 'bytes'])
    .where('at', '<', before)
    .orderBy('seq')
    .limit(forgottenAtOnce)
    .execute()
}

async function forget(db: Db, rows: readonly Row[], reason: ForgottenFor): Promise<void> {
  if (rows.length === 0) return
  const seqs = rows.map(({ seq }) => seq)
  await db.deleteFrom('dead_letter').where('seq', 'in', seqs).execute()
  await addUsage(db, -rows.length, -total(rows))
  const counts = rows.map((row): CountDelta => {
    const { workspace_id: workspaceId, source_id: sourceId, destination_id: destinationId } = row
    return { workspaceId, sourceId, destinationId, kind: 'forgotten', reason, count: 1 }
  })
  addCounts(db, counts)
}

/** @returns the ids that were there, in the order asked for. */
async function take(db: Db, workspaceId: string, ids: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, number>()
  await inChunks(ids, async (chunk) => {
    for (const row of await ofIds(db, workspaceId, chunk).execute()) found.set(row.id, row.bytes)
    await db.deleteFrom('dead_letter').where('workspace_id', '=', workspaceId).where('id', 'in', chunk).execute()
  })
  const bytes = [...found.values()].reduce((sum, each) => sum + each, 0)
  await addUsage(db, -found.size, -bytes)
  return ids.filter((id) => found.delete(id))
}

function ofIds(db: Db, workspaceId: string, ids: readonly string[]) {
  return db
    .selectFrom('dead_letter')
    .select(['id', 'bytes', 'letter_json'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
}

async function usedBy(db: Db): Promise<{ readonly letters: number; readonly bytes: number }> {
  const row = await db.selectFrom('dead_letter_usage').select(['letters', 'bytes']).executeTakeFirst()
  return row ?? { letters: 0, bytes: 0 }
}

async function addUsage(db: Db, letters: number, bytes: number): Promise<void> {
  await db
    .insertInto('dead_letter_usage')
    .values({ id: 1, letters, bytes })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        letters: eb('dead_letter_usage.letters', '+', letters),
        bytes: eb('dead_letter_usage.bytes', '+', bytes),
      })),
    )
    .execute()
}

function rowOf(letter: DeadLetter) {
  const text = letterText(letter)
  return {
    id: letter.id,
    workspace_id: letter.workspaceId,
    destination_id: letter.destinationId,
    source_id: letter.source.sourceId,
    user_id: identifierText(letter.source.event['userId']),
    message_id: identifierText(letter.source.event.messageId),
    at: letter.at,
    bytes: Buffer.byteLength(text),
    letter_json: text,
  }
}

const total = (rows: readonly { readonly bytes: number }[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0)
