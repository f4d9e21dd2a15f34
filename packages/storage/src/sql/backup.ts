import { closeSync, existsSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreUnusableError } from '../store-errors.ts'
import { hasBytes } from './recover.ts'
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { syncFile } from './sync-file.ts'

/**
 * Writes a consistent copy of a database to a new file, for its owner only, while others go on writing: what is committed
 * meanwhile is in it. The file is there whole or not at all.
 *
 * @param checkpoint asked between steps; what it throws ends the backup.
 * @throws StoreUnusableError when the file is there already or cannot be made.
 */
export async function writeBackup(
  database: Pick<SqliteDatabase, 'copyTo'>,
  path: string,
  checkpoint: () => void = () => {},
): Promise<void> {
  if (existsSync(path)) throw takenError(path)
  const partial = `${path}.partial`
  try {
    rmSync(partial, { force: true })
    closeSync(openSync(partial, 'wx', 0o600))
  } catch (error) {
    throw new StoreUnusableError(`${path} cannot be made: ${error instanceof Error ? error.message : error}`)
  }
  try {
    await database.copyTo(partial, checkpoint)
    syncFile(partial)
    // Unlike a rename, it replaces nothing.
    linkSync(partial, path)
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? takenError(path) : error
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true })
  }
  syncFile(dirname(resolve(path)))
}

/** Backs up a store that no process has open, of whatever version. For what it throws see `writeBackup` and `openSqliteStore`. */
export async function backupSqliteStore(from: string, to: string): Promise<void> {
  if (!hasBytes(from)) throw new StoreUnusableError(`${from} is no store`)
  const database = openSqliteDatabase({ path: from, synchronous: 'full' })
  try {
    await writeBackup(database, to)
  } finally {
    database.close()
  }
}

function takenError(path: string): StoreUnusableError {
  return new StoreUnusableError(`${path} is there already: name a new file`)
}
