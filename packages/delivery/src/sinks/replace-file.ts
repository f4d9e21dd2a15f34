import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What a file is to replace that was not finished, by their names. */
export function unfinishedFor(entry: string): string | undefined {
  return /^\.(.+)\.new$/s.exec(entry)?.[1]
}

/**
 * Replaces the content of a file in one step, which outlives a power cut: whoever opens it finds all of the old content or
 * all of the new. A crash may leave an unfinished file beside it.
 */
export async function replaceFile(
  path: string,
  change: (before: FileHandle) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path)
  const unfinished = join(folder, `.${basename(path)}.new`)
  const before = await open(path, 'r')
  try {
    const { mode } = await before.stat()
    const after = await open(unfinished, 'w', mode)
    try {
      // Whoever may not read the file may not read this one either.
      await after.chmod(mode)
      await writeFile(after, change(before))
      await after.sync()
    } finally {
      await after.close()
    }
    await rename(unfinished, path)
    await syncFolder(folder)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await before.close()
  }
}

/** So that the names of new files outlive a power cut. Windows has no such thing, and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
