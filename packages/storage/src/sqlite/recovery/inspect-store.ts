import { StoreUnusableError } from '../../store-errors.ts'
import { openReadOnly } from '../read-only-database.ts'
import { readFileId } from './file-id.ts'
import { readMark } from './high-water-mark.ts'
import { hasBytes } from './store-recovery.ts'

/**
 * Looks at a store that was not closed before anything is written to it: when SQLite opens a file for writing, it writes
 * the write-ahead log beside it into the file, whether it belongs there or not. A store that was closed, or does not
 * exist, is not looked at.
 *
 * @param check `now` reads the file whole. `later` does so only when it is unknown whether the log belongs to the file;
 * else the file can be checked while it is in use.
 * @returns whether the file is still to be checked.
 * @throws what `requireOwnLog` throws, and StoreDamagedError when the file was read and is damaged.
 */
export function inspectStore(path: string, check: 'now' | 'later'): boolean {
  const mark = readMark(`${path}.mark`)
  const wasLeftOpen = mark?.isOpen ?? hasBytes(`${path}.mark`)
  if (!hasBytes(`${path}-wal`) && !(wasLeftOpen && hasBytes(path))) return hasBytes(path) && mark?.isUnchecked === true
  requireOwnLog(path)
  if (check === 'later' && (!hasBytes(`${path}-wal`) || mark?.fileIds?.includes(readFileId(path) ?? 0))) return true
  const database = openReadOnly(path, busyTimeoutMs)
  try {
    database.check()
  } finally {
    database.close()
  }
  return false
}

/** Time to wait for another process to close the file, enough for one that is just closing. Blocks the event loop. */
const busyTimeoutMs = 2_000

/**
 * Checks that the write-ahead log belongs to the file beside it.
 * @throws StoreUnusableError when it does not; StoreInUseError when a process has the file open as its store.
 */
export function requireOwnLog(path: string): void {
  if (hasBytes(path)) openReadOnly(path, busyTimeoutMs).close()
  if (!hasBytes(`${path}-wal`) || isOwnLog(path)) return
  // Refused differently when a process has opened it meanwhile, which changes both files.
  if (hasBytes(path)) openReadOnly(path, busyTimeoutMs).close()
  const place = hasBytes(path) ? `another file than the ${path} beside it` : `${path}, which is gone`
  throw new StoreUnusableError(
    `${path}-wal was written for ${place}, and opening the store would mix the two: move it away, to its own file if you have that, and try again; if the two do belong together, remove ${path}.mark instead`,
  )
}

/** Returns whether the log belongs to the file. True also when that is unknown: without a mark, or with an old one. */
function isOwnLog(path: string): boolean {
  if (!hasBytes(path)) return false
  const mark = readMark(`${path}.mark`)
  const id = readFileId(path)
  if (mark?.fileIds === undefined || id === undefined) return true
  // Closing a store removes its log, so a log beside a closed store is foreign.
  return mark.isOpen && mark.fileIds.includes(id)
}
