import { StoreInUseError } from '../store-errors.ts'
import { openDriver } from './open-driver.ts'
import { damagedError, isBusy } from './sqlite-database.ts'

/** A file that is looked at and stays as it is. */
export interface ReadOnlyDatabase {
  /** Reads the whole file, and what its write-ahead log adds (a second or so per gigabyte). @throws StoreDamagedError */
  check(): void
  close(): void
}

/**
 * Opens a file so that neither it nor its write-ahead log is written to, not when it is closed either; an empty log and an
 * index of it (`-shm`) may be left beside it. Until it is closed no process can open the file as its store.
 *
 * @param busyTimeoutMs how long another process may take to let go. Blocks the event loop.
 * @throws StoreInUseError when a process has it open as its store.
 */
export function openReadOnly(path: string, busyTimeoutMs: number): ReadOnlyDatabase {
  const driver = openDriver(path, { readonly: true, timeout: busyTimeoutMs })
  try {
    // Its lock is held until the end.
    driver.exec('begin')
    driver.prepare('select count(*) from sqlite_master').get()
  } catch (error) {
    if (isBusy(error)) {
      driver.close()
      throw new StoreInUseError(`${path} is in use by another process: stop that one first`)
    }
    // What else is wrong is for the check to find.
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
