import { fairLevel } from '@sluice/core'
import type { ReceiptStore } from '@sluice/pipeline'
import { compareCodePoints, createMentions } from '@sluice/schema'
import { sql } from 'kysely'
import { compiledOnce } from '../../compiled-once.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import { fingerprintOf, type ReceiptRow, receiptsIn, withoutMentions, withoutOldest } from './receipt-rows.ts'

export interface SqlReceiptStore extends Omit<ReceiptStore, 'receiptsMax'> {
  /** Stores receipts in a transaction; a newer one takes the place of that of the same message and destination. */
  put(db: Db, rows: readonly ReceiptRow[]): Promise<void>
}

/** Small rows are joined into rows of about this size, so that a search reads few of them. */
const joinedReceipts = 500

/** Rows read at a time to look into them. */
const rowsPerRead = 20

/**
 * @param receiptsMax number of receipts to keep, over all workspaces. Pruning walks over all rows, so it waits until about
 * 5 % more were written.
 */
export function createSqlReceiptStore({ read, write }: SqlSession, receiptsMax: number): SqlReceiptStore {
  const slack = Math.ceil(receiptsMax * 0.05)
  // Unknown after a start, so the first receipts prune. A rolled-back transaction can delay pruning once.
  let writtenSincePrune = Number.POSITIVE_INFINITY
  /** Returns each row that has receipts to remove, with what is left of it. */
  async function* mentioning(workspaceId: string, identifiers: readonly string[]) {
    const mentions = createMentions(identifiers)
    for (let after = -1, isEnd = false; !isEnd; ) {
      const rows = await read((db) =>
        db
          .selectFrom('receipt_batch')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(rowsPerRead)
          .execute(),
      )
      isEnd = rows.length < rowsPerRead
      after = rows.at(-1)?.seq ?? after
      for (const row of rows) {
        const left = withoutMentions(row, mentions)
        if (left !== row) yield { row, left }
      }
    }
  }
  return {
    find: async (workspaceId, messageId) => {
      const rows = await read((db) =>
        db
          .selectFrom('receipt_batch')
          .select(['workspace_id', 'receipts', 'fingerprints', 'receipts_json'])
          .where('workspace_id', '=', workspaceId)
          .where('fingerprints', 'like', `%${fingerprintOf(messageId)}%`)
          .orderBy('seq')
          .execute(),
      )
      const newest = new Map(
        rows.flatMap((row) => receiptsIn(row, messageId)).map((receipt) => [receipt.destinationId, receipt]),
      )
      return [...newest.values()].sort((a, b) => compareCodePoints(a.destinationId, b.destinationId))
    },
    count: async (workspaceId) => {
      const { sum } = await read((db) => sums(db).where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow())
      return sum ?? 0
    },
    mentioning: async (workspaceId, identifiers) => {
      let count = 0
      for await (const { row, left } of mentioning(workspaceId, identifiers)) count += row.receipts - left.receipts
      return count
    },
    forget: async (workspaceId, identifiers) => {
      // Once more after changes, because rows that were joined meanwhile are other rows.
      for (let isDone = false; !isDone; ) {
        isDone = true
        for await (const { row, left } of mentioning(workspaceId, identifiers)) {
          isDone = false
          await write({ apply: (db) => replaceRow(db, row, left) })
        }
      }
    },
    put: async (db, rows) => {
      for (const row of rows) {
        await insertRow(db, row)
        writtenSincePrune += row.receipts
      }
      if (rows.length === 0 || writtenSincePrune < slack) return
      await pruneReceipts(db, receiptsMax)
      writtenSincePrune = 0
    },
  }
}

const insertRow = compiledOnce<ReceiptRow, unknown>(
  ['workspace_id', 'receipts', 'fingerprints', 'receipts_json'],
  (db, row) => db.insertInto('receipt_batch').values(row),
)

/** Replaces a row, unless it was changed or joined with others since it was read. */
async function replaceRow(db: Db, { seq, receipts_json }: SequencedRow, left: SequencedRow): Promise<void> {
  const isSame = { seq, receipts_json }
  if (left.receipts === 0) {
    await db
      .deleteFrom('receipt_batch')
      .where((eb) => eb.and(isSame))
      .execute()
    return
  }
  const { receipts, fingerprints, receipts_json: rest } = left
  const values = { receipts, fingerprints, receipts_json: rest }
  await db
    .updateTable('receipt_batch')
    .set(values)
    .where((eb) => eb.and(isSame))
    .execute()
}

type SequencedRow = ReceiptRow & { readonly seq: number }

interface StoredRow extends Pick<ReceiptRow, 'workspace_id' | 'receipts'> {
  readonly seq: number
}

/** Deletes the oldest receipts of the workspaces with the most, and joins small rows of each workspace, in a transaction. */
export async function pruneReceipts(db: Db, receiptsMax: number): Promise<void> {
  const stored = await db
    .selectFrom('receipt_batch')
    .select(['seq', 'workspace_id', 'receipts'])
    .orderBy('workspace_id')
    .orderBy('seq')
    .execute()
  const byWorkspace = new Map<string, StoredRow[]>()
  for (const row of stored) {
    const known = byWorkspace.get(row.workspace_id)
    if (known) known.push(row)
    else byWorkspace.set(row.workspace_id, [row])
  }
  const counts = [...byWorkspace.values()].map(countOf)
  const level = Math.floor(fairLevel(counts, receiptsMax))
  for (const rows of byWorkspace.values()) await joinSmall(db, await dropOldest(db, rows, countOf(rows) - level))
}

/** Deletes the oldest receipts of a workspace. @returns the rows that are left. */
async function dropOldest(db: Db, rows: readonly StoredRow[], excess: number): Promise<readonly StoredRow[]> {
  let left = excess
  let gone = 0
  for (let row = rows[0]; row && left >= row.receipts && left > 0; row = rows[gone]) {
    left -= row.receipts
    gone += 1
  }
  const [workspace, last] = [rows[0]?.workspace_id, rows[gone - 1]?.seq]
  if (workspace !== undefined && last !== undefined)
    await db.deleteFrom('receipt_batch').where('workspace_id', '=', workspace).where('seq', '<=', last).execute()
  const [cut, ...others] = rows.slice(gone)
  if (left <= 0 || cut === undefined) return rows.slice(gone)
  const shorter = withoutOldest(await rowAt(db, cut.seq), left)
  await db.updateTable('receipt_batch').set(shorter).where('seq', '=', cut.seq).execute()
  return [{ ...cut, receipts: shorter.receipts }, ...others]
}

/** Joins neighbouring small rows of a workspace, each group in the place of the last of them. */
async function joinSmall(db: Db, rows: readonly StoredRow[]): Promise<void> {
  const groups = groupsOfSmall(rows)
  for (let first = 0; first < groups.length; first += groupsPerJoin)
    await join(db, groups.slice(first, first + groupsPerJoin))
}

/** Groups that one statement joins, so that it has a bounded number of parameters. */
const groupsPerJoin = 50

/** Returns neighbouring small rows that together are about as large as a joined row. */
function groupsOfSmall(rows: readonly StoredRow[]): readonly (readonly StoredRow[])[] {
  const groups: StoredRow[][] = []
  let group: StoredRow[] = []
  for (const row of rows) {
    const isSmall = row.receipts <= joinedReceipts / 2
    if (!isSmall || countOf(group) + row.receipts > joinedReceipts) group = []
    if (!isSmall) continue
    if (group.length === 0) groups.push(group)
    group.push(row)
  }
  return groups.filter(({ length }) => length > 1)
}

/** In the database: its rows need not be sent to be put together. */
async function join(db: Db, groups: readonly (readonly StoredRow[])[]): Promise<void> {
  const ends = groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)]
    return first && last ? sql`(cast(${first.seq} as bigint), cast(${last.seq} as bigint))` : []
  })
  const workspaceId = groups[0]?.[0]?.workspace_id ?? ''
  await sql`
    with groups (first_seq, last_seq) as (values ${sql.join(ends)})
    update receipt_batch set (receipts, fingerprints, receipts_json) = (
      select sum(part.receipts), string_agg(part.fingerprints, '' order by part.seq),
        '[' || string_agg(substr(part.receipts_json, 2, length(part.receipts_json) - 2), ',' order by part.seq) || ']'
      from receipt_batch as part
      where part.workspace_id = ${workspaceId} and part.seq >= groups.first_seq and part.seq <= groups.last_seq
    ) from groups where receipt_batch.seq = groups.last_seq`.execute(db)
  const joined = groups.flatMap((group) => group.slice(0, -1).map(({ seq }) => seq))
  await db.deleteFrom('receipt_batch').where('seq', 'in', joined).execute()
}

async function rowAt(db: Db, seq: number): Promise<ReceiptRow> {
  const { seq: _, ...row } = await db
    .selectFrom('receipt_batch')
    .selectAll()
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  return row
}

const countOf = (rows: readonly StoredRow[]): number => rows.reduce((sum, { receipts }) => sum + receipts, 0)

const sums = (db: Db) => db.selectFrom('receipt_batch').select((eb) => eb.fn.sum<number | null>('receipts').as('sum'))
