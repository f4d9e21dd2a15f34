import { type FSWatcher, watch } from 'node:fs'
import { CliError } from '../cli-error.ts'

/** Quiet time after which a save is complete: editors save in several steps. */
const settleMs = 25
/** Longest delay of a change, even when others follow. */
const settleMaxMs = 250

/** Waits for changes in folders. Only one wait at a time. */
export class FolderWatcher {
  readonly #watchers = new Map<string, FSWatcher>()
  /** Time of the first change not reported yet. */
  #changedAt: number | undefined
  #lastAt = 0
  #wake: () => void = () => {}

  /** Watches exactly these folders, not recursively. Missing ones are skipped. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#watchers) if (!folders.has(folder)) this.#drop(folder, watcher)
    for (const folder of folders) {
      if (this.#watchers.has(folder)) continue
      try {
        const watcher = watch(folder, () => this.#saw())
        // A deleted folder ends its watcher; the watcher of its parent reports the change.
        watcher.on('error', () => this.#drop(folder, watcher))
        this.#watchers.set(folder, watcher)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOSPC' || code === 'EMFILE')
          throw new CliError(
            `${folder} cannot be watched: the system's limit is reached (${code}); give fewer paths, or end other watchers`,
          )
      }
    }
  }

  /** Resolves at the next change since the last call, with the time of the change; undefined when aborted. */
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
