import { type FSWatcher, watch } from 'node:fs'
import { CliError } from './cli-error.ts'

/** Editors save in several steps; this long after the last of them they are done. */
const settleMs = 25
/** Whatever goes on, an answer is given after this. */
const settleMaxMs = 250

/** Tells that something changed in folders. One wait at a time. */
export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>()
  /** When the first change was seen that nobody was told of yet. */
  #changedAt: number | undefined
  #lastAt = 0
  #wake: () => void = () => {}

  /** Watches these folders, each by itself, and no others; those that are not there are left out. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers) if (!folders.has(folder)) this.#drop(folder, watcher)
    for (const folder of folders) {
      if (this.#watchers.has(folder)) continue
      try {
        const watcher = watch(folder, () => this.#saw())
        // A folder that goes away ends its watcher; its parent tells of it.
        watcher.on('error', () => this.#drop(folder, watcher))
        this.#watchers.set(folder, watcher)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOSPC' || code === 'EMFILE')
          throw new CliError(
            `${folder} cannot be watched: too many are, on this system (${code}); give fewer paths, or end other watchers`,
          )
      }
    }
  }

  /** Resolves when something has changed since the last time, with when that was; undefined once it is aborted. */
  async changed(signal: AbortSignal): Promise<number | undefined> {
    const wake = (): void => this.#wake()
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const now = performance.now()
        const changedAt = this.#changedAt
        const readyAt = changedAt === undefined ? undefined : Math.min(this.#lastAt + settleMs, changedAt + settleMaxMs)
        if (readyAt !== undefined && now >= readyAt) {
          this.#changedAt = undefined
          return changedAt
        }
        await new Promise<void>((resolve) => {
          const timer = readyAt === undefined ? undefined : setTimeout(resolve, readyAt - now)
          this.#wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return undefined
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  close(): void {
    for (const [folder, watcher] of this.#watchers) this.#drop(folder, watcher)
  }

  #saw(): void {
    this.#lastAt = performance.now()
    this.#changedAt ??= this.#lastAt
    this.#wake()
  }

  #drop(folder: string, watcher: FSWatcher): void {
    this.#watchers.delete(folder)
    watcher.close()
  }
}
