import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Returns the name of the file that an unfinished file was to replace, or undefined for other files. */
export function unfinishedFor(entry: string): string | undefined {
  return /^\.(.+)\.new$/s.exec(entry)?.[1]
}

/**
 * Replaces the content of a file atomically and durably: readers find either the old content or the new one, even after
 * a power cut. A crash may leave an unfinished file beside it.
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
      // The new file must not be readable by more users than the old one.
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

/** Syncs a folder, so that new file names survive a power cut. Windows neither supports nor needs this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
