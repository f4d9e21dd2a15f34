import BetterSqlite3 from 'better-sqlite3'
import { StoreUnusableError } from '../store-errors.ts'

/**
 * Opens a file with the driver.
 * @throws StoreUnusableError when the driver was installed without its native part, as pnpm does by default, or for
 * another version of Node. The message says what to do.
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
