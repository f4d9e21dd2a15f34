import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { StoreFullError } from '@sluice/core'
import { StoreDamagedError, StoreUnusableError } from '../store-errors.ts'
import { clearFileId } from './file-id.ts'
import { inspectStore } from './inspect-store.ts'
import { placeNewFile, takenError } from './place-new-file.ts'
import { openReadOnly } from './read-only-database.ts'
import { hasBytes } from './recover.ts'
import { isDiskFull, openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'

export interface WriteBackupOptions {
  /** Asked between steps; what it throws ends the backup. */
  readonly checkpoint?: () => void
  /** Whether the copy is read whole before it is given its name: a second or so per gigabyte, which blocks this thread. */
  readonly isChecked: boolean
}

/**
 * Writes a consistent copy of a database to a new file, for its owner only, while others go on writing: what is committed
 * meanwhile is in it. The file is there whole or not at all.
 *
 * @throws StoreUnusableError when the file is there already or cannot be made; StoreFullError when its disk is full;
 * StoreDamagedError when the copy is found damaged, as what was copied is.
 */
export async function writeBackup(
  database: Pick<SqliteDatabase, 'copyTo'>,
  path: string,
  { checkpoint = () => {}, isChecked }: WriteBackupOptions,
): Promise<void> {
  if (existsSync(path)) throw takenError(path)
  const partial = `${path}.partial`
  try {
    rmSync(partial, { force: true })
    closeSync(openSync(partial, 'wx', 0o600))
  } catch (error) {
    throw isDiskFull(error)
      ? fullError(path)
      : new StoreUnusableError(`${path} cannot be made: ${error instanceof Error ? error.message : error}`)
  }
  try {
    await database.copyTo(partial, checkpoint)
    clearFileId(partial)
    if (isChecked) checkBackup(partial)
    placeNewFile(partial, path)
  } catch (error) {
    throw isDiskFull(error) ? fullError(path) : error
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true })
  }
}

/** Backs up a store that no process has open, of whatever version. For what it throws see `writeBackup` and `inspectStore`. */
export async function backupSqliteStore(from: string, to: string): Promise<void> {
  if (!hasBytes(from)) throw new StoreUnusableError(`${from} is no store`)
  inspectStore(from)
  const database = openSqliteDatabase({ path: from, synchronous: 'full' })
  try {
    await writeBackup(database, to, { isChecked: true })
  } catch (error) {
    if (!(error instanceof StoreDamagedError)) throw error
    throw damagedCopyError(from)
  } finally {
    database.close()
  }
}

/**
 * Takes a copy that came from a server: reads it whole, then gives it the name it is to have.
 *
 * @param partial where it is, in the same folder; the caller removes what is left there.
 * @param of what it is a copy of, for the message.
 * @throws StoreDamagedError when it is damaged; StoreUnusableError when the new file is there already.
 */
export function takeBackup(partial: string, path: string, of: string): void {
  try {
    checkBackup(partial)
  } catch (error) {
    throw error instanceof StoreDamagedError ? damagedCopyError(of) : error
  } finally {
    for (const suffix of ['-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true })
  }
  placeNewFile(partial, path)
}

function checkBackup(path: string): void {
  const copy = openReadOnly(path, 0)
  try {
    copy.check()
  } finally {
    copy.close()
  }
}

function damagedCopyError(of: string): StoreDamagedError {
  return new StoreDamagedError(
    `no backup was made: the copy is damaged, and so is ${of} most likely; save what can be read of it with: sluice salvage ${of} <new file>`,
  )
}

function fullError(path: string): StoreFullError {
  return new StoreFullError(`the disk that ${path} was to be written to is full: make room there`)
}
