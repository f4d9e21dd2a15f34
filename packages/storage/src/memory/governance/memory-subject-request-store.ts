import { isLookDue, type StoredSubjectRequest, type SubjectRequestStore } from '@sluice/regulation'

export function createMemorySubjectRequestStore(requireOpen: () => void): SubjectRequestStore {
  const all = new Map<string, StoredSubjectRequest>()
  const keyOf = (workspaceId: string, id: string): string => JSON.stringify([workspaceId, id])
  const waiting = (): readonly (StoredSubjectRequest & { readonly dueAt: number })[] =>
    [...all.values()].flatMap(({ request, dueAt }) => (dueAt === undefined ? [] : { request, dueAt }))
  return {
    add: async (stored) => {
      requireOpen()
      const key = keyOf(stored.request.workspaceId, stored.request.id)
      const known = all.get(key) ?? structuredClone(stored)
      all.set(key, known)
      return known.request
    },
    find: async (workspaceId, id) => {
      requireOpen()
      return all.get(keyOf(workspaceId, id))?.request
    },
    due: async (now, limit) => {
      requireOpen()
      const due = waiting().filter(({ dueAt }) => isLookDue(dueAt, now))
      return due.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit)
    },
    nextDueAt: async (now) => {
      requireOpen()
      const later = waiting().flatMap(({ dueAt }) => (dueAt > now ? dueAt : []))
      return later.length === 0 ? undefined : Math.min(...later)
    },
    update: async ({ request, dueAt }, seenDueAt) => {
      requireOpen()
      const key = keyOf(request.workspaceId, request.id)
      const known = all.get(key)
      if (known === undefined) return
      all.set(key, structuredClone({ request, dueAt: known.dueAt === seenDueAt ? dueAt : known.dueAt }))
    },
    bringForward: async (workspaceId, regulationIds, now) => {
      requireOpen()
      const ids = new Set(regulationIds)
      for (const [key, { request, dueAt }] of all)
        if (
          request.workspaceId === workspaceId &&
          dueAt !== undefined &&
          request.regulationIds.some((id) => ids.has(id))
        )
          all.set(key, { request, dueAt: now })
    },
    forget: async (before) => {
      requireOpen()
      for (const [key, { request, dueAt }] of all)
        if (dueAt === undefined && request.receivedAt < before) all.delete(key)
    },
  }
}
