import BetterSqlite3 from 'better-sqlite3'
import { StoreUnusableError } from '../store-errors.ts'

/**
 * Opens a file with the driver. Package managers may install it without its native part, pnpm for one, or for another
 * version of Node.
 * @throws StoreUnusableError, with the way out, when that is so.
 */
export function openDriver(path: string, options: BetterSqlite3.Options): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(path, options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_DLOPEN_FAILED' && !message.startsWith('Could not locate the bindings file')) throw error
    throw new StoreUnusableError(
      'better-sqlite3, which keeps the store on disk, is not built for this Node: run npm rebuild better-sqlite3 (with pnpm: pnpm approve-builds)',
    )
  }
}
