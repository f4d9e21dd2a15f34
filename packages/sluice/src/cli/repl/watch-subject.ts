import { dirname, join } from 'node:path'
import { codesOf, ProjectError, type Subject } from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { FolderWatcher } from '../folder-watcher.ts'

export interface WatchedSubject {
  /** Resolves when nothing is told any more. */
  close(): Promise<void>
}

/**
 * Tells of every save after which a transformation or a library of it is another one. Editors save more than that in the
 * same folders, of which there is nothing to tell.
 *
 * @param load reads code and libraries as they are now; a ProjectError of it is a state as any other.
 * @param onProblem told once, when the system lets nothing more be watched.
 */
export function watchSubject(
  load: () => Promise<Subject>,
  onChange: () => void,
  onProblem: (message: string) => void,
): WatchedSubject {
  const stopping = new AbortController()
  const watcher = new FolderWatcher()
  const ended = untilStopped().catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error
    onProblem(error.message)
  })

  async function untilStopped(): Promise<void> {
    let before = await look()
    while ((await watcher.changed(stopping.signal)) !== undefined) {
      const now = await look()
      if (now !== before && !stopping.signal.aborted) onChange()
      before = now
    }
  }

  /** Watches the folders of all its files, and gives a text that is another one when any of them is. */
  async function look(): Promise<string> {
    const subject = await load().catch((error: unknown) => {
      if (error instanceof ProjectError) return error
      throw error
    })
    // Half an edit: the folders are those of before.
    if (subject instanceof ProjectError) return subject.message
    const folders = codesOf(subject).map(({ file }) => dirname(file))
    // A library that is imported before it is there will be put here.
    const libraries = folders.slice(0, 1).map((folder) => join(folder, '..', 'libraries'))
    watcher.watch(new Set([...folders, ...libraries]))
    return JSON.stringify(subject)
  }

  return {
    async close() {
      stopping.abort()
      watcher.close()
      await ended
    },
  }
}
