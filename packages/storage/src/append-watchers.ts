/** Listeners for appended batches, by workspace. Within one process. */
export interface AppendWatchers {
  /** @returns a function that removes the listener. */
  watch(workspaceId: string, listener: () => void): () => void
  /** Calls the listeners of the workspace in a later turn, once for all calls made until then. */
  notify(workspaceId: string): void
  /** Removes all listeners. */
  clear(): void
}

/** @param onError receives what a listener throws; the other listeners are still called. */
export function createAppendWatchers(onError: (error: unknown) => void): AppendWatchers {
  // Each call of `watch` has its own entry, so that one listener can be added twice.
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
