/// <reference lib="es2024.string" />
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InvariantError } from '@sluice/core'
import BetterSqlite3 from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { StoreDamagedError, StoreInUseError, StoreUnusableError } from '../store-errors.ts'
import type { FileId } from './file-id.ts'
import { openDriver } from './open-driver.ts'
import type { Tables } from './tables.ts'

/** The write-ahead log is cut back to this after a checkpoint, so that one large transaction does not keep its disk space. */
const journalBytesMax = 64 * 1024 * 1024
/** Pages copied at once by a backup: commits wait a few milliseconds for it. */
const pagesPerStep = 256
/** Prepared statements kept; the adapters have about 40, some of them once per number of rows. */
const statementsMax = 256

export interface SqliteDatabaseOptions {
  /** The file, or ':memory:'. Its folder is created when it is missing, readable by its owner only. */
  readonly path: string
  /** When a commit is on disk: 'full' before it is acknowledged, 'normal' at the next checkpoint (a power failure can take it back). */
  readonly synchronous: 'full' | 'normal'
  /** The file does not grow beyond this; default no limit. */
  readonly fileBytesMax?: number
  /** How long opening waits for another process to let go; default 2 s, enough for one that is just closing. Blocks the event loop. */
  readonly busyTimeoutMs?: number
}

/** The one place that knows the driver. A transaction is on disk when its commit resolves (with synchronous 'full'). */
export interface SqliteDatabase {
  readonly db: Kysely<Tables>
  /** For messages. */
  readonly folder: string
  /** Bytes in use inside the file; freed pages are used again before the file grows. */
  usedBytes(): number
  /** Bytes of all pages, freed ones included: what a copy takes. */
  fileBytes(): number
  readVersion(): number
  /** Takes part in the transaction that is open. */
  writeVersion(version: number): void
  /** See `FileId`. */
  readFileId(): FileId
  /** Written to the file itself when it returns, whose write-ahead log is empty then. */
  writeFileId(id: FileId): void
  /** Writes the write-ahead log back into the file and cuts it to nothing. Between transactions only. */
  writeBack(): void
  /** The same while others write: what was deleted is in neither any more. */
  checkpoint(): Promise<void>
  /**
   * Copies all there is, page by page, into an empty file; what is written meanwhile is copied too.
   * @param checkpoint asked between steps of a megabyte; what it throws ends the copying.
   */
  copyTo(path: string, checkpoint: () => void): Promise<void>
  /** Writes the write-ahead log back into the file and lets go of both. Twice is fine. */
  close(): void
}

/**
 * Opens the file for this handle alone.
 *
 * What is bound is checked, because a driver would store something else without a word: only null, bytes, well-formed
 * strings and numbers that are finite and, when whole, safe integers pass; anything else throws InvariantError.
 *
 * @throws StoreInUseError when another process, or another handle of this one, has it open; StoreUnusableError when the
 * folder or the file cannot be made, or the driver was not built; StoreDamagedError when the file is no store, or none any more.
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
    // First of all: a lock that is taken under the exclusive mode is held until close.
    driver.pragma('locking_mode = exclusive')
    const journal = driver.pragma('journal_mode = wal', { simple: true })
    if (!inMemory && journal !== 'wal')
      throw new InvariantError(`the file system of ${folder} allows no write-ahead log`)
    driver.pragma(`synchronous = ${synchronous}`)
    driver.pragma(`journal_size_limit = ${journalBytesMax}`)
    driver.pragma('foreign_keys = on')
    // What is deleted is overwritten: a store may have to show that a user is gone.
    driver.pragma('secure_delete = on')
    driver.exec('begin immediate; commit')
    // Of one that only read; an exclusive holder has the index in its memory.
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
    // Back to the end of the line: the first entry is the one not used for longest.
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
    const [said] = driver.pragma('wal_checkpoint(truncate)') as readonly { readonly busy: number }[]
    if (said?.busy !== 0) throw new InvariantError('the write-ahead log cannot be written back: somebody reads it')
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
    folder,
    // Through Kysely, which lets nobody in between the statements of a transaction.
    checkpoint: async () => {
      const [said] = (await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)).rows
      if (said?.busy !== 0) throw new InvariantError('the write-ahead log cannot be written back: somebody reads it')
    },
    usedBytes: () => (Number(pageCount.get()) - Number(freePageCount.get())) * pageBytes,
    fileBytes: () => Number(pageCount.get()) * pageBytes,
    readVersion: () => Number(driver.pragma('user_version', { simple: true })),
    readFileId: () => Number(driver.pragma('application_id', { simple: true })),
    writeBack,
    writeFileId: (id) => {
      driver.pragma(`application_id = ${id}`)
      writeBack()
    },
    writeVersion: (version) => {
      driver.pragma(`user_version = ${version}`)
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

/** Makes the folder and the file, both for their owner only: the file holds write keys and events. */
function prepareFile(folder: string, path: string): void {
  try {
    makeFolder(folder)
    // Closing a file lets go of the locks this process has on it, whichever handle they are of.
    if (existsSync(path)) accessSync(path, constants.W_OK)
    else closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw new StoreUnusableError(
      `the store cannot be kept in ${folder}: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Level by level: Node's recursive variant does not end where the file system refuses folders without saying so. */
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

function checked(driver: BetterSqlite3.Database, sql: string): CheckedStatement {
  const statement = driver.prepare<unknown[]>(sql)
  return {
    reader: statement.reader,
    all: (values) => statement.all(...bindable(values)),
    run: (values) => {
      // A failed write may have rolled back already (disk full); rolling back again would hide why it failed.
      if (sql === 'rollback' && !driver.inTransaction) return { changes: 0, lastInsertRowid: 0 }
      return statement.run(...bindable(values))
    },
    iterate: (values) => statement.iterate(...bindable(values)),
  }
}

function bindable(values: readonly unknown[]): readonly unknown[] {
  for (const [index, value] of values.entries()) {
    // The value itself may be somebody's data, so the message tells only its place and what is wrong with it.
    const wrong = unbindable(value)
    if (wrong !== undefined) throw new InvariantError(`value ${index + 1} of a statement is ${wrong}`)
  }
  return values
}

function unbindable(value: unknown): string | undefined {
  if (value === null || value instanceof Uint8Array) return undefined
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a string with a lone surrogate'
  if (typeof value !== 'number') return `of type ${typeof value}`
  if (!Number.isFinite(value)) return 'a number that is not finite'
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? 'an integer beyond 2^53' : undefined
}

/** Answers whether somebody else has the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/** Answers whether a failure came from what the file holds. */
export function isDamage(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code)
}

/** @param found what the driver said; of the file only, never of what is stored. */
export function damagedError(path: string, found: unknown, { canSalvage = true } = {}): StoreDamagedError {
  const text = found instanceof Error ? found.message : String(found)
  const orElse = canSalvage ? `, or save what can be read with: sluice salvage ${path} <new file>` : ''
  return new StoreDamagedError(`${path} is damaged, or no store (${text}): put a backup in its place${orElse}`)
}

/** Answers whether a row broke a rule of its table. */
export function isRefusedRow(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')
}

/** Answers whether the disk itself had no room for a write. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof BetterSqlite3.SqliteError) return error.code === 'SQLITE_FULL'
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
