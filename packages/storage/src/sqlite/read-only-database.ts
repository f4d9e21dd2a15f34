import { StoreInUseError } from '../store-errors.ts'
import { openDriver } from './driver/open-driver.ts'
import { damagedError, isBusy } from './sqlite-errors.ts'

/** A database file that is read and left unchanged. */
interface ReadOnlyDatabase {
  /** Reads the whole file with its write-ahead log, about a second per gigabyte. @throws StoreDamagedError */
  check(): void
  close(): void
}

/**
 * Opens a file without ever writing to it or its write-ahead log, not even on close. An empty log and its index
 * (`-shm`) may be left beside it. No process can open the file as its store until it is closed.
 *
 * @param busyTimeoutMs time to wait for another process to close the file. Blocks the event loop.
 * @throws StoreInUseError when a process has the file open as its store.
 */
export function openReadOnly(path: string, busyTimeoutMs: number): ReadOnlyDatabase {
  const driver = openDriver(path, { readonly: true, timeout: busyTimeoutMs })
  try {
    // Holds the lock until the database is closed.
    driver.exec('begin')
    driver.prepare('select count(*) from sqlite_master').get()
  } catch (error) {
    if (isBusy(error)) {
      driver.close()
      throw new StoreInUseError(`${path} is in use by another process: stop that one first`)
    }
    // Any other problem is left to `check`.
  }
  return {
    check: () => {
      let found: unknown
      try {
        found = driver.pragma('quick_check(1)', { simple: true })
      } catch (error) {
        found = error
      }
      if (found !== 'ok') throw damagedError(path, found)
    },
    close: () => {
      driver.close()
    },
  }
}
