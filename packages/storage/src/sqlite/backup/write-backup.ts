import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { StoreFullError } from '@sluice/core'
import { StoreDamagedError, StoreUnusableError } from '../../store-errors.ts'
import { openReadOnly } from '../read-only-database.ts'
import { clearFileId } from '../recovery/file-id.ts'
import { inspectStore } from '../recovery/inspect-store.ts'
import { hasBytes } from '../recovery/store-recovery.ts'
import { openSqliteDatabase, type SqliteDatabase } from '../sqlite-database.ts'
import { isDiskFull } from '../sqlite-errors.ts'
import { placeNewFile, takenError } from './place-new-file.ts'

export interface WriteBackupOptions {
  /** Called between steps; a throw ends the backup. */
  readonly checkpoint?: () => void
  /** Whether to read the whole copy before it gets its name. Blocks this thread for about a second per gigabyte. */
  readonly isChecked: boolean
}

/**
 * Writes a consistent copy of a database to a new file, readable by its owner only, while writes continue; commits made
 * meanwhile are included. The file appears whole or not at all.
 *
 * @throws StoreUnusableError when the file exists or cannot be created; StoreFullError when its disk is full;
 * StoreDamagedError when the copy, and therefore the original, is damaged.
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
      : new StoreUnusableError(`${path} cannot be created: ${error instanceof Error ? error.message : error}`)
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

/** Backs up a store of any version that no process has open. Throws what `writeBackup` and `inspectStore` throw. */
export async function backupSqliteStore(from: string, to: string): Promise<void> {
  if (!hasBytes(from)) throw new StoreUnusableError(`${from} is no store`)
  inspectStore(from, 'now')
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
 * Accepts a copy received from a server: reads the whole file, then gives it its final name.
 *
 * @param partial the copy, in the same folder; the caller removes what is left of it.
 * @param of name of the original, for messages.
 * @throws StoreDamagedError when the copy is damaged; StoreUnusableError when the new file exists.
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
    `no backup was made: the copy is damaged, and so, most likely, is ${of}; save what can be read with: sluice salvage ${of} <new file>`,
  )
}

function fullError(path: string): StoreFullError {
  return new StoreFullError(`the disk of ${path} is full: make room there`)
}
