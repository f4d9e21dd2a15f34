/// <reference lib="es2024.string" />
import { fairLevel } from '@sluice/core'
import type { EventReceipt, ReceiptStore } from '@sluice/pipeline'
import type { Selectable } from 'kysely'
import { type Db, inChunks, type SqlSession } from './sql-session.ts'
import type { Tables } from './tables.ts'

export interface SqlReceiptStore extends Omit<ReceiptStore, 'receiptsMax'> {
  /** Keeps receipts as part of a transaction; the newest one of a message and destination counts. */
  put(db: Db, receipts: readonly EventReceipt[]): Promise<void>
}

/**
 * @param receiptsMax how many receipts are kept, over all workspaces. Pruning costs a walk over their keys, so it waits
 * until about 5 % more were written.
 */
export function createSqlReceiptStore({ read }: SqlSession, receiptsMax: number): SqlReceiptStore {
  const slack = Math.ceil(receiptsMax * 0.05)
  // Unknown after a start, so the first receipts prune. A transaction that is undone can put it off by one round.
  let writtenSincePrune = Number.POSITIVE_INFINITY
  return {
    find: async (workspaceId, messageId) => {
      const rows = await read((db) =>
        db
          .selectFrom('receipt')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('message_id', '=', messageId)
          .orderBy('destination_id')
          .execute(),
      )
      return rows.map(receiptOf)
    },
    count: async (workspaceId) => {
      const { count } = await read((db) => counts(db).where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow())
      return count
    },
    put: async (db, receipts) => {
      if (receipts.length === 0) return
      // Replacing gives the row a new number, which is what makes it the newest.
      await inChunks(receipts, (chunk) => db.replaceInto('receipt').values(chunk.map(rowOf)).execute())
      writtenSincePrune += receipts.length
      if (writtenSincePrune < slack) return
      await prune(db, receiptsMax)
      writtenSincePrune = 0
    },
  }
}

/** The workspaces with most give up their oldest. */
async function prune(db: Db, receiptsMax: number): Promise<void> {
  if (await isOfOneWorkspace(db)) {
    // Without a look at the workspace of each.
    const newestToGo = db.selectFrom('receipt').select('seq').orderBy('seq', 'desc').limit(1).offset(receiptsMax)
    await db.deleteFrom('receipt').where('seq', '<=', newestToGo).execute()
    return
  }
  const rows = await counts(db).select('workspace_id').groupBy('workspace_id').execute()
  const level = fairLevel(
    rows.map(({ count }) => count),
    receiptsMax,
  )
  for (const { workspace_id, count } of rows) {
    const excess = count - Math.floor(level)
    if (count <= level) continue
    // From the oldest on, because that is the shorter way.
    const ofWorkspace = db.selectFrom('receipt').select('seq').where('workspace_id', '=', workspace_id)
    const newestToGo = ofWorkspace
      .orderBy('seq')
      .limit(1)
      .offset(excess - 1)
    await db.deleteFrom('receipt').where('workspace_id', '=', workspace_id).where('seq', '<=', newestToGo).execute()
  }
}

async function isOfOneWorkspace(db: Db): Promise<boolean> {
  const ids = db.selectFrom('receipt').select('workspace_id').limit(1)
  const [first, last] = [ids.orderBy('workspace_id'), ids.orderBy('workspace_id', 'desc')]
  return (await first.executeTakeFirst())?.workspace_id === (await last.executeTakeFirst())?.workspace_id
}

const counts = (db: Db) => db.selectFrom('receipt').select((eb) => eb.fn.countAll<number>().as('count'))

function rowOf(receipt: EventReceipt) {
  return {
    workspace_id: receipt.workspaceId,
    message_id: receipt.messageId,
    destination_id: receipt.destinationId,
    source_id: receipt.sourceId,
    outcome: receipt.outcome,
    stage: receipt.stage,
    // A reason may quote user code, which may write what UTF-8 cannot carry.
    reason: receipt.reason?.toWellFormed() ?? null,
    code: receipt.code ?? null,
    outputs: receipt.outputs,
    version_id: receipt.versionId ?? null,
    at: receipt.at,
    received_at: receipt.receivedAt ?? null,
  }
}

function receiptOf(row: Selectable<Tables['receipt']>): EventReceipt {
  return {
    workspaceId: row.workspace_id,
    messageId: row.message_id,
    sourceId: row.source_id,
    destinationId: row.destination_id,
    outcome: row.outcome,
    stage: row.stage,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.code === null ? {} : { code: row.code }),
    outputs: row.outputs,
    ...(row.version_id === null ? {} : { versionId: row.version_id }),
    at: row.at,
    ...(row.received_at === null ? {} : { receivedAt: row.received_at }),
  }
}
