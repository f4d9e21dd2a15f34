import type { NewVersion } from '@sluice/schema'

type VersionListener = (workspaceId: string, versions: readonly NewVersion[]) => void

/** Listeners for versions stored for the first time. Within one process. */
export interface VersionWatchers {
  /** @returns a function that removes the listener. */
  watch(listener: VersionListener): () => void
  /** Calls the listeners in a later turn, so that none of them delays the store. */
  notify(workspaceId: string, versions: readonly NewVersion[]): void
  /** Removes all listeners. */
  clear(): void
}

/** @param onError receives what a listener throws; the other listeners are still called. */
export function createVersionWatchers(onError: (error: unknown) => void): VersionWatchers {
  const entries = new Set<{ readonly listener: VersionListener }>()
  return {
    watch: (listener) => {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    notify: (workspaceId, versions) => {
      if (versions.length === 0 || entries.size === 0) return
      setImmediate(() => {
        for (const entry of [...entries]) {
          if (!entries.has(entry)) continue
          try {
            entry.listener(workspaceId, versions)
          } catch (error) {
            onError(error)
          }
        }
      })
    },
    clear: () => entries.clear(),
  }
}
