import type { RetryStore } from '@sluice/pipeline'
import { inChunks } from '../../in-chunks.ts'
import type { SqlSession } from '../../sql-session.ts'
import { unlessStored } from '../../write-mark.ts'
import { replaceUsers } from '../governance/put-users.ts'
import { deferredColumns, type LaneOf, putDeferred } from './put-deferred.ts'
import { receiptRows } from './receipt-rows.ts'
import { addCounts } from './sql-counter-store.ts'
import type { SqlDeadLetterStore } from './sql-dead-letter-store.ts'
import type { SqlReceiptStore } from './sql-receipt-store.ts'

interface SqlRetryStoreOptions {
  readonly receipts: SqlReceiptStore
  readonly deadLetters: Pick<SqlDeadLetterStore, 'put'>
  readonly laneOf: LaneOf
}

export function createSqlRetryStore({ dialect, read, write }: SqlSession, options: SqlRetryStoreOptions): RetryStore {
  const { receipts, deadLetters, laneOf } = options
  return {
    add: async (_, events, counts) => {
      await write({
        apply: async (db) => {
          await putDeferred(db, events, laneOf)
          addCounts(db, counts)
        },
      })
    },
    destinations: async (workspaceId) => {
      const rows = await read((db) =>
        db
          .selectFrom('deferred_event')
          .select('destination_id')
          .distinct()
          .where('workspace_id', '=', workspaceId)
          .orderBy('destination_id')
          .execute(),
      )
      return rows.map((row) => row.destination_id)
    },
    entries: async (workspaceId, destinationId) => {
      const rows = await read((db) =>
        db
          .selectFrom('deferred_event')
          .select(['id', 'user_keys_json', 'due_at'])
          .where('workspace_id', '=', workspaceId)
          .where('destination_id', '=', destinationId)
          .orderBy('seq')
          .execute(),
      )
      return rows.map((row) => ({ id: row.id, userKeys: JSON.parse(row.user_keys_json), dueAt: row.due_at }))
    },
    read: async (workspaceId, ids) => {
      if (ids.length === 0) return []
      const rows = await read((db) =>
        db
          .selectFrom('deferred_event')
          .select('event_json')
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', ids)
          .orderBy('seq')
          .execute(),
      )
      return rows.map((row) => JSON.parse(row.event_json))
    },
    ofUser: async (workspaceId, userId) => {
      const rows = await read((db) =>
        db
          .selectFrom('deferred_event')
          .innerJoin('deferred_event_user', 'deferred_event_user.event_id', 'deferred_event.id')
          .select(['deferred_event.id', 'deferred_event.destination_id'])
          .where('deferred_event_user.workspace_id', '=', workspaceId)
          .where('deferred_event_user.user_id', '=', userId)
          .orderBy('deferred_event.seq')
          .execute(),
      )
      return rows.map((row) => ({ id: row.id, destinationId: row.destination_id }))
    },
    ofMessage: async (workspaceId, messageId, limit) => {
      const rows = await read((db) =>
        db
          .selectFrom('deferred_event')
          .select('event_json')
          .where('workspace_id', '=', workspaceId)
          .where('message_id', '=', messageId)
          .orderBy('seq')
          .limit(limit)
          .execute(),
      )
      return rows.map((row) => JSON.parse(row.event_json))
    },
    commit: async ({
      writeId,
      workspaceId,
      ended,
      again,
      counts,
      receipts: newReceipts,
      deadLetters: newDeadLetters,
    }) => {
      await write({
        owner: workspaceId,
        apply: unlessStored(dialect, { writeId, known: undefined }, async (db) => {
          await inChunks(ended, (ids) =>
            db.deleteFrom('deferred_event').where('workspace_id', '=', workspaceId).where('id', 'in', ids).execute(),
          )
          for (const event of again)
            await db.updateTable('deferred_event').set(deferredColumns(event)).where('id', '=', event.id).execute()
          await replaceUsers(db, again)
          addCounts(db, counts)
          await receipts.put(db, receiptRows(newReceipts))
          await deadLetters.put(db, newDeadLetters)
        }),
      })
    },
  }
}
