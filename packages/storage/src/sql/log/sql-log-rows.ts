import { InvariantError } from '@sluice/core'
import type { LogPosition } from '@sluice/pipeline'
import { withDuplicates } from '@sluice/pipeline/store'
import { countFitting } from '../../count-fitting.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Db, SqlSession } from '../sql-session.ts'
import { addCounts } from '../stores/flow/sql-counter-store.ts'
import { forgetWrites } from '../write-mark.ts'
import { applyProgress, type ProgressStores } from './apply-progress.ts'
import { forgetUsers } from './forget-users.ts'
import type { LogBudget } from './log-budget.ts'
import { eventsAt, type LogRow, type LogRows, rowWithout } from './log-rows.ts'
import { rememberMessages } from './remember-messages.ts'
import { trimLog, trimmed } from './trim-log.ts'

interface SqlLogRowsOptions extends ProgressStores {
  /** Refuses batches only; all other writes continue, so that consumers can make room. */
  readonly budget: LogBudget
  /** Called in the transaction that appends a batch, which may still be undone. */
  readonly onAppend?: (transaction: Db, position: LogPosition) => void
}

export function createSqlLogRows(session: SqlSession, options: SqlLogRowsOptions): LogRows {
  const { dialect, read, write } = session
  const { budget, onAppend } = options

  return {
    append: (row, counts) =>
      write({
        owner: row.workspace_id,
        admit: (db) => budget.require(db, row.workspace_id),
        apply: async (db) => {
          const position = await insertRow(db, row)
          budget.appended(row)
          addCounts(db, counts)
          onAppend?.(db, position)
          return position
        },
      }),
    appendNew: (row, counts, messageIds, deduplication) =>
      write({
        owner: row.workspace_id,
        admit: (db) => budget.require(db, row.workspace_id),
        apply: async (db) => {
          const duplicates = await rememberMessages(db, row, messageIds, deduplication)
          const kept = rowWithout(row, duplicates)
          const position = kept && (await insertRow(db, kept))
          if (kept) budget.appended(kept)
          addCounts(db, withDuplicates(counts, eventsAt(row, duplicates)))
          if (position !== undefined) onAppend?.(db, position)
          return { position, duplicates }
        },
      }),
    requireRoom: (workspaceId) => read((db) => budget.require(db, workspaceId)),
    usage: (workspaceId) => read((db) => budget.usage(db, workspaceId)),
    register: (workspaceId, consumer) =>
      write({
        apply: async (db) => {
          const known = await cursorOf(db, workspaceId, consumer)
          if (known !== undefined) return known.position
          const position = await endOf(db, workspaceId)
          await db.insertInto('log_cursor').values({ workspace_id: workspaceId, consumer, position }).execute()
          return position
        },
      }),
    read: (workspaceId, after, limit, bytesMax) =>
      read(async (db) => {
        const behind = db
          .selectFrom('log_batch')
          .where('workspace_id', '=', workspaceId)
          .where('position', '>', after)
          .orderBy('position')
        if (bytesMax === undefined) return behind.selectAll().limit(limit).execute()
        const sizes = await behind.select('bytes').limit(limit).execute()
        return behind.selectAll().limit(countFitting(sizes, bytesMax)).execute()
      }),
    commit: (progress) =>
      write({
        owner: progress.workspaceId,
        admit: async (db) => {
          const { workspaceId, consumer } = progress
          if ((await cursorOf(db, workspaceId, consumer)) !== undefined) return
          throw new InvariantError(`consumer ${consumer} committed without being registered`)
        },
        apply: (db) => applyProgress(db, progress, options),
      }),
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
    eventsDone: async (workspaceId, consumer) =>
      (await read((db) => cursorOf(db, workspaceId, consumer)))?.events_done ?? 0,
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
    trim: async (workspaceId, kept) => {
      // At once, so that both share a commit.
      const [position] = await Promise.all([
        trimLog(session, workspaceId, kept),
        write({ apply: (db) => forgetWrites(db, dialect) }),
      ])
      budget.trimmed()
      return position
    },
    forgetUsers: (workspaceId, userIds) => forgetUsers(session, workspaceId, userIds),
  }
}

async function insertRow(db: Db, row: LogRow): Promise<LogPosition> {
  const { rows } = await insertBatch(db, row)
  const [inserted] = rows
  if (inserted === undefined) throw new InvariantError('a batch was stored without a position')
  return inserted.position
}

const insertBatch = compiledOnce<LogRow, { position: number }>(
  ['workspace_id', 'source_id', 'write_key', 'received_at', 'destination_ids_json', 'events_json', 'bytes'],
  (db, row) => db.insertInto('log_batch').values(row).returning('position'),
)

interface Cursor {
  readonly position: LogPosition
  readonly events_done: number
}

async function cursorOf(db: Db, workspaceId: string, consumer: string): Promise<Cursor | undefined> {
  const { rows } = await findCursor(db, { workspaceId, consumer })
  return rows[0]
}

const findCursor = compiledOnce<{ readonly workspaceId: string; readonly consumer: string }, Cursor>(
  ['workspaceId', 'consumer'],
  (db, { workspaceId, consumer }) =>
    db
      .selectFrom('log_cursor')
      .select(['position', 'events_done'])
      .where('workspace_id', '=', workspaceId)
      .where('consumer', '=', consumer),
)

async function endOf(db: Db, workspaceId: string): Promise<LogPosition> {
  const newest = await db
    .selectFrom('log_batch')
    .select('position')
    .where('workspace_id', '=', workspaceId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest !== undefined) return newest.position
  return trimmed(db, workspaceId)
}
