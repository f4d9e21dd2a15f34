import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InvariantError } from '@sluice/core'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { bindable } from '../sql/bindable.ts'
import type { SqlDatabase } from '../sql/sql-database.ts'
import type { Tables } from '../sql/tables.ts'
import { StoreInUseError, StoreUnusableError } from '../store-errors.ts'
import { openDriver } from './driver/open-driver.ts'
import type { DriverStatement, SqliteDriver } from './driver/sqlite-driver.ts'
import type { FileId } from './recovery/file-id.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { damagedError, isBusy, isDamage } from './sqlite-errors.ts'

/**
 * Size to which the write-ahead log is cut after a checkpoint, so that a large transaction does not keep its disk
 * space.
 */
const journalBytesMax = 64 * 1024 * 1024
/**
 * Pages of the write-ahead log that are written back together, 16 MiB: cursors, counters and the newest pages of tables
 * change with every commit, and are copied once for all of them.
 */
const pagesPerCheckpoint = 4_000
/** Pages a backup copies at a time; commits wait a few milliseconds for them. */
const pagesPerStep = 256
/** Size of the statement cache. The stores have about 40 statements, some of them once per number of rows. */
const statementsMax = 256

interface SqliteDatabaseOptions {
  /** The file, or ':memory:'. A missing folder is created, readable by its owner only. */
  readonly path: string
  /**
   * When a commit is on disk: 'full' before it is acknowledged, 'normal' at the next checkpoint, so a power failure can
   * lose it.
   */
  readonly synchronous: 'full' | 'normal'
  /** Largest size of the file; default no limit. */
  readonly fileBytesMax?: number
  /**
   * Time to wait for another process to close the file; default 2 s, enough for one that is just closing. Blocks the
   * event loop.
   */
  readonly busyTimeoutMs?: number
}

/** An open SQLite file. With synchronous 'full', a transaction is on disk when its commit resolves. */
export interface SqliteDatabase extends SqlDatabase {
  /** Prepares a statement that runs at once, within the open transaction if there is one. */
  prepare(sql: string): DriverStatement
  /** Returns the bytes in use inside the file. Freed pages are reused before the file grows. */
  usedBytes(): number
  /** Returns the bytes of all pages, freed ones included: the size of a copy. */
  fileBytes(): number
  /** Returns the `FileId` of the file. */
  readFileId(): FileId
  /** Writes the id into the file itself, and empties the write-ahead log. */
  writeFileId(id: FileId): void
  /** Writes the write-ahead log back into the file and empties it. Must not be called within a transaction. */
  writeBack(): void
  /** The same while others write. Afterwards neither file contains deleted data. */
  checkpoint(): Promise<void>
  /**
   * Copies the database page by page into an empty file, including writes made during the copy.
   * @param checkpoint called after every megabyte; a throw ends the copy.
   */
  copyTo(path: string, checkpoint: () => void): Promise<void>
  /** Writes the write-ahead log back into the file and closes both. May be called twice. */
  close(): void
}

/**
 * Opens a file exclusively.
 *
 * Bound values are checked: see `bindable`.
 *
 * @throws StoreInUseError when another process, or another handle of this one, has it open; StoreUnusableError when the
 * folder or file cannot be created, or there is no driver; StoreDamagedError when the file is damaged or no store.
 */
export function openSqliteDatabase({
  path,
  synchronous,
  fileBytesMax,
  busyTimeoutMs = 2_000,
}: SqliteDatabaseOptions): SqliteDatabase {
  const inMemory = path === ':memory:'
  const folder = inMemory ? path : dirname(resolve(path))
  if (!inMemory) prepareFile(folder, path)
  const driver = openDriver(path, { timeout: busyTimeoutMs })
  try {
    // Must come first: a lock taken in exclusive mode is held until close.
    driver.pragma('locking_mode = exclusive')
    const journal = driver.pragma('journal_mode = wal', { simple: true })
    if (!inMemory && journal !== 'wal')
      throw new InvariantError(`the file system of ${folder} does not support a write-ahead log`)
    driver.pragma(`synchronous = ${synchronous}`)
    driver.pragma(`journal_size_limit = ${journalBytesMax}`)
    driver.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`)
    driver.pragma('foreign_keys = on')
    // Overwrites deleted data: a store must be able to prove that a user was deleted.
    driver.pragma('secure_delete = on')
    driver.exec('begin immediate; commit')
    // Left by a reader; an exclusive handle keeps the index in memory.
    if (!inMemory) rmSync(`${path}-shm`, { force: true })
  } catch (error) {
    driver.close()
    if (isDamage(error)) throw damagedError(path, error)
    if (!isBusy(error)) throw error
    throw new StoreInUseError(
      `the store in ${folder} is in use by another process: stop that one, or use another folder`,
    )
  }

  const statements = new Map<string, CheckedStatement>()
  const prepare = (sql: string): CheckedStatement => {
    const statement = statements.get(sql) ?? checked(driver, sql)
    // Moved to the end, so that the first entry is the least recently used.
    statements.delete(sql)
    statements.set(sql, statement)
    const oldest = statements.keys().next()
    if (statements.size > statementsMax && !oldest.done) statements.delete(oldest.value)
    return statement
  }
  const pageBytes = Number(driver.pragma('page_size', { simple: true }))
  if (fileBytesMax !== undefined) driver.pragma(`max_page_count = ${Math.floor(fileBytesMax / pageBytes)}`)
  const pageCount = driver.prepare('pragma page_count').pluck()
  const freePageCount = driver.prepare('pragma freelist_count').pluck()
  const writeBack = (): void => {
    const [result] = driver.pragma('wal_checkpoint(truncate)') as readonly { readonly busy: number }[]
    if (result?.busy !== 0) throw new InvariantError('the write-ahead log cannot be written back: it is being read')
  }
  const close = (): void => {
    if (!driver.open) return
    try {
      writeBack()
    } finally {
      driver.close()
    }
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: { prepare, close } }) })
  return {
    db,
    dialect: sqliteDialect,
    place: folder,
    prepare: (sql) => driver.prepare(sql),
    // Through Kysely, which keeps it out of open transactions.
    checkpoint: async () => {
      const [result] = (await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)).rows
      if (result?.busy !== 0) throw new InvariantError('the write-ahead log cannot be written back: it is being read')
    },
    usedBytes: () => (Number(pageCount.get()) - Number(freePageCount.get())) * pageBytes,
    fileBytes: () => Number(pageCount.get()) * pageBytes,
    readFileId: () => Number(driver.pragma('application_id', { simple: true })),
    writeBack,
    writeFileId: (id) => {
      driver.pragma(`application_id = ${id}`)
      writeBack()
    },
    copyTo: async (path, checkpoint) => {
      const progress = (): number => {
        checkpoint()
        return pagesPerStep
      }
      await driver.backup(path, { progress })
    },
    close,
  }
}

/** Creates the folder and the file, both for their owner only: the file contains write keys and events. */
function prepareFile(folder: string, path: string): void {
  try {
    makeFolder(folder)
    // An existing file is not opened here: closing it would release all locks this process has on it.
    if (existsSync(path)) accessSync(path, constants.W_OK)
    else closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new StoreUnusableError(
      `the store cannot be kept in ${folder}: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/**
 * Creates a folder level by level. Node's recursive variant does not return where a file system refuses folders
 * silently.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

interface CheckedStatement {
  readonly reader: boolean
  all(values: readonly unknown[]): unknown[]
  run(values: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(values: readonly unknown[]): IterableIterator<unknown>
}

function checked(driver: SqliteDriver, sql: string): CheckedStatement {
  const statement = driver.prepare(sql)
  return {
    reader: statement.reader,
    all: (values) => statement.all(...bindable(values)),
    run: (values) => {
      // A failed write may already have rolled back (disk full); a second rollback would hide the reason.
      if (sql === 'rollback' && !driver.inTransaction) return { changes: 0, lastInsertRowid: 0 }
      return statement.run(...bindable(values))
    },
    iterate: (values) => statement.iterate(...bindable(values)),
  }
}
