import { dirname, join } from 'node:path'
import { codesOf, ProjectError, type Subject } from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { FolderWatcher } from '../folder-watcher.ts'

export interface WatchedSubject {
  /** Resolves when every later save is noticed. */
  readonly ready: Promise<void>
  /** Stops watching. Resolves when no callback will be called any more. */
  close(): Promise<void>
}

/**
 * Calls `onChange` after every save that changes a transformation or one of its libraries, and ignores other files in
 * the same folders.
 *
 * @param load reads the current code and libraries; a ProjectError counts as a state like any other.
 * @param onProblem called once, when the system's limit of watchers is reached.
 */
export function watchSubject(
  load: () => Promise<Subject>,
  onChange: () => void,
  onProblem: (message: string) => void,
): WatchedSubject {
  const stopping = new AbortController()
  const watcher = new FolderWatcher()
  let isReady = (): void => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  const ended = untilStopped().catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error
    onProblem(error.message)
    isReady()
  })

  async function untilStopped(): Promise<void> {
    let before = await look()
    isReady()
    while ((await watcher.changed(stopping.signal)) !== undefined) {
      const now = await look()
      if (now !== before && !stopping.signal.aborted) onChange()
      before = now
    }
  }

  /** Watches the folders of all files, and returns a text that changes with any of them. */
  async function look(): Promise<string> {
    const subject = await load().catch((error: unknown) => {
      if (error instanceof ProjectError) return error
      throw error
    })
    // An incomplete edit: keeps watching the same folders.
    if (subject instanceof ProjectError) return subject.message
    const folders = codesOf(subject).map(({ file }) => dirname(file))
    // A library that is imported but missing will be created here.
    const libraries = folders.slice(0, 1).map((folder) => join(folder, '..', 'libraries'))
    watcher.watch(new Set([...folders, ...libraries]))
    return JSON.stringify(subject)
  }

  return {
    ready,
    async close() {
      stopping.abort()
      watcher.close()
      await ended
    },
  }
}
