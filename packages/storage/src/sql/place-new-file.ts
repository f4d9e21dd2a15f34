import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreUnusableError } from '../store-errors.ts'
import { syncFile } from './sync-file.ts'

/**
 * Gives a file that is written to its end the name it is to have, in the same file system, and returns when that is on disk.
 * It is there whole or not at all, and replaces nothing; the name it had may be left.
 *
 * @param link gives a file a second name, as `linkSync`.
 * @throws StoreUnusableError when there is a file of that name.
 */
export function placeNewFile(from: string, to: string, link: (from: string, to: string) => void = linkSync): void {
  syncFile(from)
  try {
    // Unlike a rename, it replaces nothing.
    link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw takenError(to)
    if (!noLinks.has(codeOf(error) ?? '')) throw error
    moveTo(from, to)
  }
  syncFile(dirname(resolve(to)))
}

/** Of file systems without hard links: exFAT, and some of networks and containers. */
const noLinks: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])

/** Takes the name for an empty file of its own first, which the rename then replaces. */
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
  return new StoreUnusableError(`${path} is there already: name a new file`)
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
