import { type BegunLoad, type LoadAttempt, type LoadStore, loadAttemptsMax } from '@sluice/pipeline/store'

export function createMemoryLoadStore(requireOpen: () => void): LoadStore {
  const consumers = new Map<string, ReadonlyMap<number, BegunLoad>>()
  const attempts = new Map<string, readonly LoadAttempt[]>()
  return {
    async begin(workspaceId, consumer, loads) {
      requireOpen()
      const key = keyOf(workspaceId, consumer)
      const begun = new Map(consumers.get(key))
      for (const load of loads) begun.set(load.lane, load)
      consumers.set(key, begun)
    },
    async begun(workspaceId, consumer) {
      requireOpen()
      const begun = consumers.get(keyOf(workspaceId, consumer))
      return [...(begun?.values() ?? [])].sort((a, b) => a.lane - b.lane)
    },
    async ended(workspaceId, consumer, attempt) {
      requireOpen()
      const key = keyOf(workspaceId, consumer)
      attempts.set(key, [structuredClone(attempt), ...(attempts.get(key) ?? [])].slice(0, loadAttemptsMax))
    },
    async attempts(workspaceId, consumer, max) {
      requireOpen()
      return attempts.get(keyOf(workspaceId, consumer))?.slice(0, max) ?? []
    },
    async forget(workspaceId, consumer) {
      requireOpen()
      consumers.delete(keyOf(workspaceId, consumer))
      attempts.delete(keyOf(workspaceId, consumer))
    },
  }
}

function keyOf(workspaceId: string, consumer: string): string {
  return JSON.stringify([workspaceId, consumer])
}
