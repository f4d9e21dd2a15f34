import { InvariantError, StoreFullError } from '@sluice/core'
import type { EventLog, LogPosition, Progress } from '@sluice/pipeline'
import type { NewVersion } from '@sluice/schema'
import type { AppendWatchers } from '../append-watchers.ts'
import { forgetUser } from './forget-user.ts'
import { addCounts } from './sql-counter-store.ts'
import type { SqlDeadLetterStore } from './sql-dead-letter-store.ts'
import type { SqlReceiptStore } from './sql-receipt-store.ts'
import { putDeferred } from './sql-retry-store.ts'
import type { SqlSchemaStore } from './sql-schema-store.ts'
import type { Db, SqlSession } from './sql-session.ts'
import { trimLog } from './trim-log.ts'

export interface SqlEventLogOptions {
  readonly receipts: SqlReceiptStore
  readonly deadLetters: Pick<SqlDeadLetterStore, 'put'>
  readonly schema: SqlSchemaStore
  readonly watchers: AppendWatchers
  readonly usedBytes: () => number
  /** Batches are refused when this much is used; everything else goes on, so that consumers can make room. */
  readonly budgetBytes: number
  /** Throws when the store is closed. */
  readonly requireOpen: () => void
}

export function createSqlEventLog(session: SqlSession, options: SqlEventLogOptions): EventLog {
  const { read, write } = session
  const { receipts, deadLetters, schema, watchers, usedBytes, budgetBytes, requireOpen } = options

  const requireBudget = async (): Promise<void> => {
    if (usedBytes() < budgetBytes) return
    throw new StoreFullError(`the store has used its ${budgetBytes} bytes; raise the budget or let consumers catch up`)
  }
  const applyProgress = async (db: Db, progress: Progress): Promise<readonly NewVersion[]> => {
    const { workspaceId, consumer, position } = progress
    const { numUpdatedRows } = await db
      .updateTable('log_cursor')
      .set({ position })
      .where('workspace_id', '=', workspaceId)
      .where('consumer', '=', consumer)
      .where('position', '<', position)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return []
    await addCounts(db, progress.counts)
    await receipts.put(db, progress.receipts)
    await putDeferred(db, progress.deferred ?? [])
    await deadLetters.put(db, progress.deadLetters ?? [])
    return progress.observed === undefined ? [] : schema.mergeInto(db, workspaceId, progress.observed)
  }

  return {
    append: async (batch, counts) => {
      const { workspaceId, events } = batch
      if (events.length === 0) throw new InvariantError('a batch without events was given to the log')
      // Written out before it waits: a bad event fails alone, and the caller may change its array.
      const row = {
        workspace_id: workspaceId,
        source_id: batch.sourceId,
        write_key: batch.writeKey,
        received_at: batch.receivedAt,
        destination_ids_json: JSON.stringify(batch.destinationIds),
        events_json: JSON.stringify(events),
      }
      const position = await write({
        admit: requireBudget,
        apply: async (db) => {
          const inserted = await db.insertInto('log_batch').values(row).returning('position').executeTakeFirstOrThrow()
          await addCounts(db, counts)
          return inserted.position
        },
      })
      watchers.notify(workspaceId)
      return position
    },
    requireRoom: async () => {
      requireOpen()
      await requireBudget()
    },
    register: (workspaceId, consumer) =>
      write({
        apply: async (db) => {
          const known = await cursorOf(db, workspaceId, consumer)
          if (known !== undefined) return known
          const position = await endOf(db, workspaceId)
          await db.insertInto('log_cursor').values({ workspace_id: workspaceId, consumer, position }).execute()
          return position
        },
      }),
    read: async (workspaceId, after, limit) => {
      const rows = await read((db) =>
        db
          .selectFrom('log_batch')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('position', '>', after)
          .orderBy('position')
          .limit(limit)
          .execute(),
      )
      return rows.map((row) => ({
        position: row.position,
        workspaceId,
        sourceId: row.source_id,
        writeKey: row.write_key,
        receivedAt: row.received_at,
        destinationIds: JSON.parse(row.destination_ids_json),
        events: JSON.parse(row.events_json),
      }))
    },
    commit: async (progress) => {
      const created = await write({
        admit: async (db) => {
          const { workspaceId, consumer } = progress
          if ((await cursorOf(db, workspaceId, consumer)) !== undefined) return
          throw new InvariantError(`consumer ${consumer} committed without being registered`)
        },
        apply: (db) => applyProgress(db, progress),
      })
      schema.notify(progress.workspaceId, created)
    },
    cursors: async (workspaceId) => {
      const rows = await read((db) =>
        db
          .selectFrom('log_cursor')
          .select(['consumer', 'position'])
          .where('workspace_id', '=', workspaceId)
          .orderBy('consumer')
          .execute(),
      )
      return new Map(rows.map(({ consumer, position }) => [consumer, position]))
    },
    workspaces: async () => {
      const rows = await read((db) =>
        db.selectFrom('log_cursor').select('workspace_id').distinct().orderBy('workspace_id').execute(),
      )
      return rows.map((row) => row.workspace_id)
    },
    unregister: async (workspaceId, consumer) => {
      await write({
        apply: (db) =>
          db
            .deleteFrom('log_cursor')
            .where('workspace_id', '=', workspaceId)
            .where('consumer', '=', consumer)
            .execute(),
      })
    },
    end: (workspaceId) => read((db) => endOf(db, workspaceId)),
    trim: (workspaceId, keep) => trimLog(session, workspaceId, keep),
    forgetUser: (workspaceId, userId) => forgetUser(session, workspaceId, userId),
    watch: (workspaceId, listener) => {
      requireOpen()
      return watchers.watch(workspaceId, listener)
    },
  }
}

async function cursorOf(db: Db, workspaceId: string, consumer: string): Promise<LogPosition | undefined> {
  const row = await db
    .selectFrom('log_cursor')
    .select('position')
    .where('workspace_id', '=', workspaceId)
    .where('consumer', '=', consumer)
    .executeTakeFirst()
  return row?.position
}

async function endOf(db: Db, workspaceId: string): Promise<LogPosition> {
  const newest = await db
    .selectFrom('log_batch')
    .select('position')
    .where('workspace_id', '=', workspaceId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest !== undefined) return newest.position
  const trimmed = await db
    .selectFrom('log_trimmed')
    .select('position')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return trimmed?.position ?? 0
}
