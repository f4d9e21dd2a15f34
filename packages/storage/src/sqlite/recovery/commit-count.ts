import { systemRandom } from '@sluice/core'
import { sql } from 'kysely'
import type { Db } from '../../sql/sql-session.ts'
import type { DriverStatement } from '../driver/sqlite-driver.ts'
import type { SqliteDatabase } from '../sqlite-database.ts'
import type { HighWaterMark, StoreId } from './high-water-mark.ts'

/**
 * Names of rows in the table where SQLite keeps the newest row ids: its page is written by most commits anyway. Source: SQLite,
 * Autoincrement: an ordinary table, whose rows an application may change.
 */
const rows = { stored: 'commits of the store', lost: 'lost commits of the store', id: 'id of the store' }

/**
 * Numbers the commits of an open store. Each statement runs without Kysely, because it is paid with every commit: that would
 * take several times as long.
 */
export class CommitCount {
  readonly #changes: DriverStatement
  readonly #store: DriverStatement
  #committed: number
  #next: number
  /** Rows that this connection had changed when a transaction was last counted. */
  #counted: number

  /** @param committed commits so far, as `countCommits` returns. */
  constructor({ prepare }: Pick<SqliteDatabase, 'prepare'>, committed: number) {
    this.#changes = prepare('select total_changes()').pluck()
    this.#store = prepare('update sqlite_sequence set seq = ? where name = ?')
    this.#committed = committed
    this.#next = committed
    this.#counted = Number(this.#changes.get())
  }

  /** Counts a transaction, in it. One that changes nothing has no number, so that its commit writes nothing to the disk. */
  count(): void {
    this.#next = this.#committed
    const changes = Number(this.#changes.get())
    if (changes === this.#counted) return
    this.#next += 1
    this.#store.run(this.#next, rows.stored)
    this.#counted = changes + 1
  }

  /** Records that the transaction counted last is stored. @returns the commits so far. */
  committed(): number {
    this.#committed = this.#next
    return this.#committed
  }
}

/**
 * Compares the number of commits with the mark: all are missing from another store. Lost numbers are not used again, so that
 * each loss is reported once.
 * @returns how many commits are missing.
 */
export async function findLostCommits({ db }: SqliteDatabase, mark: HighWaterMark): Promise<number> {
  const stored = await countCommits(db)
  const { commits: acknowledged = 0, storeId } = mark.found ?? {}
  const id = await read(db, rows.id)
  const isOther = id !== undefined && storeId !== undefined && id !== storeId
  const missing = acknowledged - (isOther ? 0 : stored)
  if (missing <= 0) return 0
  await db.transaction().execute(async (transaction) => {
    await write(transaction, rows.lost, (await lostCommits(transaction)) + missing)
    await setCommits(transaction, Math.max(acknowledged, stored))
  })
  return missing
}

/** Returns the number of commits so far, and begins to count in a store that does not. */
export async function countCommits(db: Db): Promise<number> {
  const commits = await read(db, rows.stored)
  if (commits === undefined) await setCommits(db, 0)
  return commits ?? 0
}

export function setCommits(db: Db, commits: number): Promise<void> {
  return write(db, rows.stored, commits)
}

/** Returns how many commits were ever found missing. */
export async function lostCommits(db: Db): Promise<number> {
  return (await read(db, rows.lost)) ?? 0
}

/** Returns the id of the store. @param marked what one that has none gets, as its mark says; left out, a new one. */
export async function storeIdOf(db: Db, marked: StoreId | undefined): Promise<StoreId> {
  const stored = await read(db, rows.id)
  if (stored !== undefined) return stored
  const id = marked ?? newStoreId()
  await write(db, rows.id, id)
  return id
}

/** Returns a random id of 48 bits. From the platform's randomness, because stores with the same seed need different ids. */
function newStoreId(): StoreId {
  return Buffer.from(systemRandom.fill(new Uint8Array(6))).readUIntBE(0, 6) || 1
}

async function read(db: Db, name: string): Promise<number | undefined> {
  return (await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${name}`.execute(db)).rows[0]?.seq
}

/** The table has no key by which a row could be replaced. */
async function write(db: Db, name: string, value: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${name}`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${value})`.execute(db)
}
