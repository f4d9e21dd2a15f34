import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { StoreUnusableError } from '../store-errors.ts'

/** What to do without the optional packages. */
export const driverIsMissing =
  'better-sqlite3 and kysely, which keep the store on disk, are not installed: run npm install better-sqlite3 kysely, or use the memory store or PostgreSQL'

/** Whether an error says that a package is not installed. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  return (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') && message.includes(`'${name}'`)
}

/**
 * Opens a file with the driver, which is loaded by the first call: it is an optional package.
 * @throws StoreUnusableError when the driver is not installed, or without its native part, as pnpm does by default, or
 * for another version of Node. The message says what to do.
 */
export function openDriver(path: string, options: BetterSqlite3.Options): BetterSqlite3.Database {
  try {
    return new (loadDriver())(path, options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (isMissing(error, 'better-sqlite3')) throw new StoreUnusableError(driverIsMissing)
    if (code !== 'ERR_DLOPEN_FAILED' && !message.startsWith('Could not locate the bindings file')) throw error
    throw new StoreUnusableError(
      'better-sqlite3, which keeps the store on disk, is not built for this Node: run npm rebuild better-sqlite3 (with pnpm: pnpm approve-builds)',
    )
  }
}

function loadDriver(): typeof BetterSqlite3 {
  return createRequire(import.meta.url)('better-sqlite3')
}
