import { type Writing, type WritingStore, writingsMax, writingsPerUserMax } from '@sluice/regulation'

interface KeptWriting extends Writing {
  readonly workspaceId: string
}

export function createMemoryWritingStore(requireOpen: () => void): WritingStore {
  /** In the order in which they came. */
  const all = new Map<string, KeptWriting>()
  const ofUsers = (workspaceId: string, userIds: readonly string[]): readonly (readonly [string, KeptWriting])[] => {
    const wanted = new Set(userIds)
    return [...all].filter(([, kept]) => kept.workspaceId === workspaceId && wanted.has(kept.userId))
  }
  return {
    add: async (workspaceId, writings) => {
      requireOpen()
      for (const { userId, written } of writings) {
        const key = JSON.stringify([workspaceId, userId, written])
        if (all.has(key) || ofUsers(workspaceId, [userId]).length >= writingsPerUserMax) continue
        all.set(key, { workspaceId, userId, written })
        const [oldest] = all.keys()
        if (all.size > writingsMax && oldest !== undefined) all.delete(oldest)
      }
    },
    of: async (workspaceId, userIds) => {
      requireOpen()
      return ofUsers(workspaceId, userIds).map(([, { userId, written }]) => ({ userId, written }))
    },
    forget: async (workspaceId, userIds) => {
      requireOpen()
      for (const [key] of ofUsers(workspaceId, userIds)) all.delete(key)
    },
  }
}
