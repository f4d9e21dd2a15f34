/// <reference lib="es2024.string" />
import { fairLevel } from '@sluice/core'
import type { EventReceipt, ReceiptStore } from '@sluice/pipeline'
import type { Selectable } from 'kysely'
import { inChunks } from '../in-chunks.ts'
import type { Db, SqlSession } from '../sql-session.ts'
import type { Tables } from '../tables.ts'

export interface SqlReceiptStore extends Omit<ReceiptStore, 'receiptsMax'> {
  /** Stores receipts in a transaction; a newer one replaces that of the same message and destination. */
  put(db: Db, receipts: readonly EventReceipt[]): Promise<void>
}

/**
 * @param receiptsMax number of receipts to keep, over all workspaces. Pruning walks over all keys, so it waits until
 * about 5 % more were written.
 */
export function createSqlReceiptStore({ dialect, read }: SqlSession, receiptsMax: number): SqlReceiptStore {
  const slack = Math.ceil(receiptsMax * 0.05)
  // Unknown after a start, so the first receipts prune. A rolled-back transaction can delay pruning once.
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
      // A replaced row gets a new number, which makes it the newest.
      await inChunks(receipts, (chunk) =>
        dialect.replacing(db.insertInto('receipt').values(chunk.map(rowOf)), key).execute(),
      )
      writtenSincePrune += receipts.length
      if (writtenSincePrune < slack) return
      await prune(db, receiptsMax)
      writtenSincePrune = 0
    },
  }
}

const key = ['workspace_id', 'message_id', 'destination_id'] as const

/** Deletes the oldest receipts of the workspaces with the most. */
async function prune(db: Db, receiptsMax: number): Promise<void> {
  if (await isOfOneWorkspace(db)) {
    // Cheaper: does not read the workspace of each receipt.
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
    // From the oldest on, because few are deleted.
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
    // A reason may quote user code, which can contain lone surrogates.
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
