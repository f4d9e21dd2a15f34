import { StoreUnusableError } from '../store-errors.ts'
import { readFileId } from './file-id.ts'
import { readMark } from './high-water-mark.ts'
import { openReadOnly } from './read-only-database.ts'
import { hasBytes } from './recover.ts'

/**
 * Looks at what lies at the place of a store before anything is written to it: opened for writing, SQLite puts a
 * write-ahead log into whatever file lies beside it. One that was closed, or is not there, is not looked at further.
 *
 * @throws as `requireOwnLog`, and StoreDamagedError when the file and its log are no whole store. It is read whole.
 */
export function inspectStore(path: string): void {
  const wasLeftOpen = readMark(`${path}.mark`)?.isOpen ?? hasBytes(`${path}.mark`)
  if (!hasBytes(`${path}-wal`) && !(wasLeftOpen && hasBytes(path))) return
  requireOwnLog(path)
  const database = openReadOnly(path, busyTimeoutMs)
  try {
    database.check()
  } finally {
    database.close()
  }
}

/** How long another process may take to let go: enough for one that is just closing. Blocks the event loop. */
const busyTimeoutMs = 2_000

/**
 * Refuses a write-ahead log that was written for another file than the one it lies beside.
 * @throws StoreUnusableError; StoreInUseError when a process has the file open as its store.
 */
export function requireOwnLog(path: string): void {
  if (hasBytes(path)) openReadOnly(path, busyTimeoutMs).close()
  if (!hasBytes(`${path}-wal`) || isOwnLog(path)) return
  // Who opened it meanwhile changes both.
  if (hasBytes(path)) openReadOnly(path, busyTimeoutMs).close()
  const place = hasBytes(path) ? `another file than the ${path} beside it` : `${path}, which is gone`
  throw new StoreUnusableError(
    `${path}-wal was written for ${place}, and would be written into what lies there: move it away, to its own file if you have that, and try again; if the two do belong together, remove ${path}.mark instead`,
  )
}

/** True, too, where it cannot be known: without a mark, or with one of an older release. */
function isOwnLog(path: string): boolean {
  if (!hasBytes(path)) return false
  const mark = readMark(`${path}.mark`)
  const id = readFileId(path)
  if (mark?.fileIds === undefined || id === undefined) return true
  // Who closes a store leaves no log.
  return mark.isOpen && mark.fileIds.includes(id)
}
