import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreUnusableError } from '../../store-errors.ts'
import { syncFile } from './sync-file.ts'

/**
 * Gives a completely written file its final name in the same file system, and returns when that is on disk. The new
 * name appears with the whole file or not at all, and replaces nothing. The old name may be left behind.
 *
 * @param link gives a file a second name, like `linkSync`.
 * @throws StoreUnusableError when a file of that name exists.
 */
export function placeNewFile(from: string, to: string, link: (from: string, to: string) => void = linkSync): void {
  syncFile(from)
  try {
    // Unlike a rename, a link replaces nothing.
    link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw takenError(to)
    if (!noLinks.has(codeOf(error) ?? '')) throw error
    moveTo(from, to)
  }
  syncFile(dirname(resolve(to)))
}

/** Errors of file systems without hard links: exFAT, and some in networks and containers. */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** Reserves the name with an empty file, which the rename then replaces. */
function moveTo(from: string, to: string): void {
  try {
    closeSync(openSync(to, 'wx', 0o600))
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? takenError(to) : error
  }
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(to, { force: true })
    throw error
  }
}

export function takenError(path: string): StoreUnusableError {
  return new StoreUnusableError(`${path} already exists: name a new file`)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
