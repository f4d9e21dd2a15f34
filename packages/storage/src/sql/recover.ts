import { statSync } from 'node:fs'
import type { LogPosition, LostBatches } from '@sluice/pipeline'
import { sql } from 'kysely'
import { newFileId } from './file-id.ts'
import type { HighWaterMark } from './high-water-mark.ts'
import type { Db } from './sql-session.ts'
import { isDiskFull, type SqliteDatabase } from './sqlite-database.ts'

/** What was found when the store was opened. */
export interface StoreRecovery {
  /** It was not closed: its process was killed, or the machine stopped. */
  readonly isUnclean: boolean
  /** Acknowledged batches that are not there any more. */
  readonly lost: LostBatches | undefined
}

/**
 * Whether a store was left behind by a process that did not close it.
 * @param hadLog whether a write-ahead log was there before the store was opened: it says it of a store without a mark.
 */
export function isLeftOpen(mark: HighWaterMark, hadLog: boolean): boolean {
  return mark.found?.isOpen ?? (mark.wasThere || hadLog)
}

/** False, too, where there can be no file: who opens it is told why. */
export function hasBytes(path: string): boolean {
  try {
    return statSync(path).size > 0
  } catch {
    return false
  }
}

/**
 * Takes in what the write-ahead log of the run before holds, and gives the file an id of its own for this one, by which
 * the log of this run is known to be its. Whatever moment it is killed in, the file and the mark agree.
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
    // It goes by the old one; whoever cannot write is told later, and consumers make room meanwhile.
    if (!isDiskFull(error)) throw error
  }
}

/**
 * Compares the log with its mark. What is lost is written down, and its positions are given to nobody else, so that it is
 * told once and the numbers stay its own.
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

/** The newest position the log ever gave: part of the transaction that gave it. */
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
