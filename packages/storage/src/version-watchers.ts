import type { NewVersion } from '@sluice/schema'

export type VersionListener = (workspaceId: string, versions: readonly NewVersion[]) => void

/** Who wants to know of versions that were stored for the first time. Within one process. */
export interface VersionWatchers {
  /** @returns how to stop it; after that the listener is not called any more. */
  watch(listener: VersionListener): () => void
  /** Calls the listeners in a later turn, so that none of them holds the store up. */
  notify(workspaceId: string, versions: readonly NewVersion[]): void
  /** Stops all. */
  clear(): void
}

/** @param onError gets what a listener threw; the other listeners are called all the same. */
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
