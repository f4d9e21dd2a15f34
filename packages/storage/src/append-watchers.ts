/** Who wants to know when batches were appended, by workspace. Within one process. */
export interface AppendWatchers {
  /** @returns how to stop it; after that the listener is not called any more. */
  watch(workspaceId: string, listener: () => void): () => void
  /** Calls the listeners of the workspace in a later turn, once for however many calls come before it. */
  notify(workspaceId: string): void
  /** Stops all. */
  clear(): void
}

/** @param onError gets what a listener threw; the other listeners are called all the same. */
export function createAppendWatchers(onError: (error: unknown) => void): AppendWatchers {
  // Each call of `watch` has an entry of its own, so that one listener can be given twice.
  const entries = new Map<string, Set<{ readonly listener: () => void }>>()
  const pending = new Set<string>()

  const call = (workspaceId: string): void => {
    pending.delete(workspaceId)
    const called = entries.get(workspaceId)
    for (const entry of [...(called ?? [])]) {
      if (!called?.has(entry)) continue
      try {
        entry.listener()
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    watch: (workspaceId, listener) => {
      const entry = { listener }
      const watching = entries.get(workspaceId) ?? new Set()
      entries.set(workspaceId, watching.add(entry))
      return () => {
        watching.delete(entry)
        if (watching.size === 0 && entries.get(workspaceId) === watching) entries.delete(workspaceId)
      }
    },
    notify: (workspaceId) => {
      if (pending.has(workspaceId) || !entries.has(workspaceId)) return
      pending.add(workspaceId)
      setImmediate(call, workspaceId)
    },
    clear: () => {
      for (const watching of entries.values()) watching.clear()
      entries.clear()
    },
  }
}
