import { statSync } from 'node:fs'
import type { LogPosition, LostBatches } from '@sluice/pipeline'
import { sql } from 'kysely'
import type { Db } from '../../sql/sql-session.ts'
import type { SqliteDatabase } from '../sqlite-database.ts'
import { isDiskFull } from '../sqlite-errors.ts'
import { newFileId } from './file-id.ts'
import type { HighWaterMark } from './high-water-mark.ts'

/** Findings when a store was opened. */
export interface StoreRecovery {
  /** Whether it was not closed: its process was killed, or the machine stopped. */
  readonly isUnclean: boolean
  /** Acknowledged batches that are missing. */
  readonly lost: LostBatches | undefined
  /**
   * Acknowledged commits that are missing, whatever they had changed: batches, cursors, counts, events that wait, the catalogue,
   * regulations, code and configuration.
   */
  readonly lostCommits: number
}

/**
 * Returns whether the last process did not close the store.
 * @param hadLog whether a write-ahead log existed before the store was opened; decides for a store without a mark.
 */
export function isLeftOpen(mark: HighWaterMark, hadLog: boolean): boolean {
  return mark.found?.isOpen ?? (mark.wasThere || hadLog)
}

/**
 * Returns whether a file exists and is not empty. False also where no file can exist: opening it reports the reason.
 */
export function hasBytes(path: string): boolean {
  try {
    return statSync(path).size > 0
  } catch {
    return false
  }
}

/**
 * Writes back the write-ahead log of the previous run, and gives the file a new id, by which this run's log is
 * recognized as its own. A kill at any moment leaves the file and the mark in agreement.
 */
export function takeOver(database: SqliteDatabase, mark: HighWaterMark): void {
  // From here on there may be a write-ahead log.
  mark.open()
  try {
    database.writeBack()
    const id = newFileId()
    mark.open([database.readFileId(), id])
    database.writeFileId(id)
    mark.open([id])
  } catch (error) {
    // Keeps the old id. Later writes report the full disk, and consumers make room meanwhile.
    if (!isDiskFull(error)) throw error
  }
}

/**
 * Compares the log with its mark, and records lost batches. Their positions are never used again, so that each loss is
 * reported once and its positions stay unambiguous.
 */
export async function findLost(
  { db }: SqliteDatabase,
  mark: HighWaterMark,
  now: number,
): Promise<LostBatches | undefined> {
  const end = await appendedTo(db)
  const acknowledged = mark.found?.position ?? 0
  if (acknowledged <= end) return undefined
  const lost = { from: end + 1, to: acknowledged, noticedAt: now }
  await db.transaction().execute((transaction) => writeDown(transaction, lost))
  return lost
}

/** Returns the newest position the log ever assigned. */
export async function appendedTo(db: Db): Promise<LogPosition> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'log_batch'`.execute(db)
  return rows[0]?.seq ?? 0
}

export async function writeDown(db: Db, { from, to, noticedAt }: LostBatches): Promise<void> {
  await db.insertInto('lost_batches').values({ from_position: from, to_position: to, noticed_at: noticedAt }).execute()
  const end = await appendedTo(db)
  if (to <= end) return
  await sql`delete from sqlite_sequence where name = 'log_batch'`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values ('log_batch', ${to})`.execute(db)
}

export async function lostBatches(db: Db): Promise<readonly LostBatches[]> {
  const rows = await db.selectFrom('lost_batches').selectAll().orderBy('from_position').execute()
  return rows.map((row) => ({ from: row.from_position, to: row.to_position, noticedAt: row.noticed_at }))
}
