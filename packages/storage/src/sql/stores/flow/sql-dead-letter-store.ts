import { type Clock, fairLevel, identifierText } from '@sluice/core'
import type { CountDelta, DeadLetter, DeadLetterFilter, DeadLetterLimits, DeadLetterStore } from '@sluice/pipeline'
import { sql } from 'kysely'
import { countFitting } from '../../../count-fitting.ts'
import {
  type DeadLetterSum,
  deadLetterText,
  type ForgottenFor,
  roomLimits,
  usageOf,
} from '../../../dead-letter-limits.ts'
import { deadLetterReason } from '../../../dead-letter-reason.ts'
import { inChunks } from '../../in-chunks.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import { idsOfUsers, putUsers } from '../governance/put-users.ts'
import { type LaneOf, putDeferred } from './put-deferred.ts'
import { addCounts } from './sql-counter-store.ts'

export interface SqlDeadLetterStore extends Omit<DeadLetterStore, 'limits'> {
  /** Adds dead letters in a transaction. Beyond a limit, the workspaces with the most lose their oldest. */
  put(db: Db, letters: readonly DeadLetter[]): Promise<void>
}

interface SqlDeadLetterStoreOptions {
  readonly limits: DeadLetterLimits
  readonly clock: Clock
  readonly laneOf: LaneOf
}

/** Dead letters deleted in one transaction, so that other writes do not wait long. */
const forgottenAtOnce = 200

export function createSqlDeadLetterStore(
  { read, write }: SqlSession,
  { limits, clock, laneOf }: SqlDeadLetterStoreOptions,
): SqlDeadLetterStore {
  async function makeRoom(db: Db): Promise<void> {
    for (const { measure, max } of roomLimits(limits)) {
      const sums = await sumsOf(db)
      const level = fairLevel(
        sums.map((sum) => sum[measure]),
        max,
      )
      for (const { workspaceId, ...sum } of sums) await cutDown(db, workspaceId, sum[measure] - level, measure)
    }
  }

  /** Deletes the oldest dead letters of a workspace until `excess` of them is gone. */
  async function cutDown(db: Db, workspaceId: string, excess: number, measure: 'letters' | 'bytes'): Promise<void> {
    for (let left = excess; left > 0; ) {
      const oldest = await oldestRows(db, { workspaceId })
      const needed = oldest.findIndex((row) => {
        left -= measure === 'letters' ? 1 : row.bytes
        return left <= 0
      })
      await forget(db, needed < 0 ? oldest : oldest.slice(0, needed + 1), measure)
      if (oldest.length === 0) return
    }
  }

  return {
    put: async (db, letters) => {
      if (letters.length === 0) return
      const rows = letters.map(rowOf)
      await inChunks(rows, (chunk) => db.insertInto('dead_letter').values(chunk).execute())
      await putUsers(db, 'dead_letter_user', letters)
      await addUsage(db, rows, 1)
      await makeRoom(db)
    },
    list: async (workspaceId, { after, newestFirst = false, limit, bytesMax, ...filter }) => {
      const rows = await read(async (db) => {
        let query = matching(db, workspaceId, filter).orderBy('seq', newestFirst ? 'desc' : 'asc')
        if (after !== undefined)
          query = query.where('seq', newestFirst ? '<' : '>', (eb) =>
            eb.fn.coalesce(
              eb.selectFrom('dead_letter').select('seq').where('id', '=', after),
              eb.val(newestFirst ? Number.MAX_SAFE_INTEGER : 0),
            ),
          )
        const sizes = bytesMax === undefined ? undefined : await query.select('bytes').limit(limit).execute()
        const count = sizes ? Math.max(1, countFitting(sizes, bytesMax)) : limit
        return query.select('letter_json').limit(count).execute()
      })
      return rows.map((row) => JSON.parse(row.letter_json))
    },
    ids: async (workspaceId, filter, limit) => {
      const rows = await read((db) =>
        matching(db, workspaceId, filter).select('id').orderBy('seq').limit(limit).execute(),
      )
      return rows.map(({ id }) => id)
    },
    groups: async (workspaceId, limit) => {
      const rows = await read((db) =>
        db
          .selectFrom('dead_letter')
          .where('workspace_id', '=', workspaceId)
          .groupBy(['destination_id', 'code', 'reason'])
          .select(['destination_id', 'code', 'reason'])
          .select((eb) => [
            eb.fn.countAll<number>().as('letters'),
            eb.fn.min('at').as('first'),
            eb.fn.max('at').as('last'),
            eb.fn.max('id').as('newest_id'),
          ])
          .orderBy('letters', 'desc')
          .orderBy('destination_id')
          .orderBy('code')
          .orderBy('reason')
          .limit(limit)
          .execute(),
      )
      return rows.map(({ destination_id, code, reason, letters, first, last, newest_id }) => ({
        destinationId: destination_id,
        code,
        reason,
        count: letters,
        first,
        last,
        newestId: newest_id,
      }))
    },
    slots: async (workspaceId, { since, everyMs, count }) => {
      // As literals: a bound number may be a float, whose quotient has a fraction.
      const slot = sql<number>`(at - ${sql.lit(since)}) / ${sql.lit(everyMs)}`
      const rows = await read((db) =>
        db
          .selectFrom('dead_letter')
          .where('workspace_id', '=', workspaceId)
          .where('at', '>=', since)
          .where('at', '<', since + count * everyMs)
          .groupBy(['destination_id', 'code', 'reason', slot])
          .select(['destination_id', 'code', 'reason', slot.as('slot')])
          .select((eb) => eb.fn.countAll<number>().as('letters'))
          .execute(),
      )
      return rows.map(({ destination_id, code, reason, slot: place, letters }) => ({
        destinationId: destination_id,
        code,
        reason,
        slot: Number(place),
        count: letters,
      }))
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
            laneOf,
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
          const theirs = await idsOfUsers(db, 'dead_letter_user', workspaceId, userIds)
          return (await take(db, workspaceId, theirs)).length
        },
      }),
    usage: async (workspaceId) => {
      const sums = await read(sumsOf)
      const wanted = sums.filter((sum) => workspaceId === undefined || sum.workspaceId === workspaceId)
      const sum = { letters: 0, bytes: 0 }
      for (const { letters, bytes } of wanted) {
        sum.letters += letters
        sum.bytes += bytes
      }
      return usageOf(sum, limits)
    },
    forgetOld: async () => {
      let forgotten: number
      do {
        forgotten = await write({
          apply: async (db) => {
            const rows = await oldestRows(db, { before: clock.now() - limits.ageMsMax })
            await forget(db, rows, 'age')
            return rows.length
          },
        })
      } while (forgotten === forgottenAtOnce)
    },
  }
}

function matching(
  db: Db,
  workspaceId: string,
  { destinationId, sourceId, userId, code, reason, since, until }: DeadLetterFilter,
) {
  let query = db.selectFrom('dead_letter').where('workspace_id', '=', workspaceId)
  if (destinationId !== undefined) query = query.where('destination_id', '=', destinationId)
  if (sourceId !== undefined) query = query.where('source_id', '=', sourceId)
  if (userId !== undefined)
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('dead_letter_user')
        .select('event_id')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId),
    )
  if (code !== undefined) query = query.where('code', '=', code)
  if (reason !== undefined) query = query.where('reason', '=', deadLetterReason(reason))
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<', until)
  return query
}

type Row = Awaited<ReturnType<typeof oldestRows>>[number]

function oldestRows(db: Db, { workspaceId, before }: { readonly workspaceId?: string; readonly before?: number }) {
  let query = db
    .selectFrom('dead_letter')
    .select(['seq', 'workspace_id', 'destination_id', 'source_id', 'bytes'])
    .orderBy('seq')
    .limit(forgottenAtOnce)
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId)
  if (before !== undefined) query = query.where('at', '<', before)
  return query.execute()
}

async function forget(db: Db, rows: readonly Row[], reason: ForgottenFor): Promise<void> {
  if (rows.length === 0) return
  const seqs = rows.map(({ seq }) => seq)
  await db.deleteFrom('dead_letter').where('seq', 'in', seqs).execute()
  await addUsage(db, rows, -1)
  const counts = rows.map((row): CountDelta => {
    const { workspace_id: workspaceId, source_id: sourceId, destination_id: destinationId } = row
    return { workspaceId, sourceId, destinationId, kind: 'forgotten', reason, count: 1 }
  })
  addCounts(db, counts)
}

/** Deletes dead letters. @returns the ids that existed, in the order given. */
async function take(db: Db, workspaceId: string, ids: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, number>()
  await inChunks(ids, async (chunk) => {
    for (const row of await ofIds(db, workspaceId, chunk).execute()) found.set(row.id, row.bytes)
    await db.deleteFrom('dead_letter').where('workspace_id', '=', workspaceId).where('id', 'in', chunk).execute()
  })
  const taken = [...found.values()].map((bytes) => ({ workspace_id: workspaceId, bytes }))
  await addUsage(db, taken, -1)
  return ids.filter((id) => found.delete(id))
}

function ofIds(db: Db, workspaceId: string, ids: readonly string[]) {
  return db
    .selectFrom('dead_letter')
    .select(['id', 'bytes', 'letter_json'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
}

async function sumsOf(db: Db): Promise<readonly (DeadLetterSum & { readonly workspaceId: string })[]> {
  const rows = await db.selectFrom('dead_letter_usage').selectAll().where('letters', '>', 0).execute()
  return rows.map(({ workspace_id, letters, bytes }) => ({ workspaceId: workspace_id, letters, bytes }))
}

/** @param sign 1 for added letters, -1 for deleted ones. */
async function addUsage(
  db: Db,
  rows: readonly { readonly workspace_id: string; readonly bytes: number }[],
  sign: 1 | -1,
): Promise<void> {
  const sums = new Map<string, { letters: number; bytes: number }>()
  for (const { workspace_id, bytes } of rows) {
    const sum = sums.get(workspace_id) ?? { letters: 0, bytes: 0 }
    sums.set(workspace_id, { letters: sum.letters + sign, bytes: sum.bytes + sign * bytes })
  }
  for (const [workspace_id, { letters, bytes }] of sums)
    await db
      .insertInto('dead_letter_usage')
      .values({ workspace_id, letters, bytes })
      .onConflict((conflict) =>
        conflict.column('workspace_id').doUpdateSet((eb) => ({
          letters: eb('dead_letter_usage.letters', '+', letters),
          bytes: eb('dead_letter_usage.bytes', '+', bytes),
        })),
      )
      .execute()
}

function rowOf(letter: DeadLetter) {
  const text = deadLetterText(letter)
  return {
    id: letter.id,
    workspace_id: letter.workspaceId,
    destination_id: letter.destinationId,
    source_id: letter.source.sourceId,
    message_id: identifierText(letter.source.event.messageId),
    code: letter.error.code,
    reason: deadLetterReason(letter.error.message),
    at: letter.at,
    bytes: Buffer.byteLength(text),
    letter_json: text,
  }
}
