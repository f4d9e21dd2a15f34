import { type CrashStore, nextStart, type StoredStart } from '@sluice/pipeline/store'

export function createMemoryCrashStore(requireOpen: () => void): CrashStore {
  const workspaces = new Map<string, Map<string, StoredStart>>()
  const startsOf = (workspaceId: string): Map<string, StoredStart> => {
    const known = workspaces.get(workspaceId) ?? new Map<string, StoredStart>()
    workspaces.set(workspaceId, known)
    return known
  }
  return {
    async started(workspaceId, cursors) {
      requireOpen()
      const before = startsOf(workspaceId)
      const starts = new Map([...cursors].map(([name, cursor]) => [name, nextStart(before.get(name), cursor)]))
      workspaces.set(workspaceId, starts)
      return new Map([...starts].map(([name, { tries, suspects }]) => [name, { tries, suspects }]))
    },
    async trying(workspaceId, consumer, place) {
      requireOpen()
      const start = startsOf(workspaceId).get(consumer)
      if (start) startsOf(workspaceId).set(consumer, { ...start, trying: place })
    },
    async tried(workspaceId, consumer) {
      requireOpen()
      const start = startsOf(workspaceId).get(consumer)
      if (start === undefined) return
      const { trying: _, ...rest } = start
      startsOf(workspaceId).set(consumer, rest)
    },
    async stopped(workspaceId) {
      requireOpen()
      workspaces.delete(workspaceId)
    },
  }
}
