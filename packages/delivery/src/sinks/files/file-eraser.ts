import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createKeyedQueue } from '@sluice/core'
import type { EraseLines, LineErasure } from '../../transport/erasure/line-erasure.ts'
import type { UserErasure } from '../../transport/erasure/user-erasure.ts'
import { errorCode } from '../../transport/error-code.ts'
import { createLineFilter } from './line-filter.ts'
import { unfinishedFor } from './replace-file.ts'
import { type RotatingFile, rotatedName } from './rotating-file.ts'

/**
 * Creates the function that removes lines from rotated files, including the current one. Files without such lines are
 * read but not written. It always starts at the first file: there are few, and a second pass finds nothing in finished
 * ones.
 *
 * @param fileFor returns the writer of the files with a name in a folder.
 */
export function createFileEraser(fileFor: (folder: string, name: string) => RotatingFile): EraseLines {
  const queue = createKeyedQueue()

  async function eraseFile(path: string, name: string, { users, userIdAt, signal }: LineErasure): Promise<void> {
    signal.throwIfAborted()
    const filter = createLineFilter(users, userIdAt)
    if (await filter.finds(createReadStream(path))) await fileFor(dirname(path), name).rewrite(path, filter.without)
  }

  async function eraseFolder(folder: string, wanted: string, erasure: LineErasure): Promise<UserErasure> {
    try {
      for (const entry of (await entriesOf(folder)).toSorted()) {
        const path = join(folder, entry)
        const unfinished = rotatedName(unfinishedFor(entry) ?? '')
        if (unfinished) await rm(path, { force: true })
        const name = rotatedName(entry)?.name
        if (name !== undefined && (wanted === '' || name === wanted))
          await eraseFile(path, name, erasure).catch(unlessGone)
      }
      return { status: 'complete' }
    } catch (error) {
      erasure.signal.throwIfAborted()
      return { status: 'failed', reason: `files cannot be read or written (${errorCode(error)})` }
    }
  }

  return (erasure) => {
    const { endpoint, params } = erasure.place
    const folder = resolve(String(params['folder']))
    return queue.run(folder, () => eraseFolder(folder, endpoint.slice('file:'.length), erasure))
  }
}

/** Lists a folder. It does not exist before its first line. */
export const entriesOf = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error) => {
    unlessGone(error)
    return []
  })

/** Ignores files that were moved away meanwhile; see the README. */
export function unlessGone(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error
}
