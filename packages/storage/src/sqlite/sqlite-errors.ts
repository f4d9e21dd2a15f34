import { StoreDamagedError } from '../store-errors.ts'
import type { SqliteError } from './driver/sqlite-driver.ts'

/** Returns whether an operation failed because another handle has the file open. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_BUSY')
}

/** Returns whether an operation failed because the file is damaged. */
export function isDamage(error: unknown): boolean {
  return isSqliteError(error) && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code)
}

/** Returns whether an operation failed because the disk could not read the file. */
export function isUnreadable(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_IOERR')
}

/** @param found the driver's error. It is about the file and contains no stored data. */
export function damagedError(path: string, found: unknown, { canSalvage = true } = {}): StoreDamagedError {
  const text = found instanceof Error ? found.message : String(found)
  const orElse = canSalvage ? `, or save what can be read with: sluice salvage ${path} <new file>` : ''
  return new StoreDamagedError(`${path} is damaged, or no store (${text}): put a backup in its place${orElse}`)
}

/** Returns whether a row violated a constraint of its table. */
export function isRefusedRow(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith('SQLITE_CONSTRAINT')
}

/** Returns whether a write failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (isSqliteError(error)) return error.code === 'SQLITE_FULL'
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/**
 * Returns the code of a write that failed because of its disk, or of the rights to its file; undefined for other errors. Another
 * try may succeed.
 */
export function unwritableCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const isFiles = /^(?:ENOSPC|EDQUOT|EROFS|EIO|EACCES|EPERM)$/.test(error.code)
  const isSqlites = isSqliteError(error) && /^SQLITE_(?:FULL|READONLY|IOERR|CANTOPEN|PERM)/.test(error.code)
  return isFiles || isSqlites ? error.code : undefined
}

/** Tells by the name, because the driver is loaded only when a file is opened. */
function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && error.name === 'SqliteError'
}
