import type { Regulation, RegulationStore } from '@sluice/regulation'
import { compareCodePoints } from '@sluice/schema'

export function createMemoryRegulationStore(requireOpen: () => void): RegulationStore {
  const byWorkspace = new Map<string, Map<string, Regulation>>()
  return {
    add: async (regulations) => {
      requireOpen()
      for (const regulation of regulations) {
        const known = byWorkspace.get(regulation.workspaceId) ?? new Map<string, Regulation>()
        byWorkspace.set(regulation.workspaceId, known)
        if (!known.has(regulation.id)) known.set(regulation.id, structuredClone(regulation))
      }
    },
    cancel: async (workspaceId, id) => {
      requireOpen()
      const known = byWorkspace.get(workspaceId)
      const found = known?.get(id)
      if (found === undefined) return undefined
      const canceled = { ...found, canceled: true }
      known?.set(id, canceled)
      return canceled
    },
    list: async (workspaceId, { after, limit }) => {
      requireOpen()
      return [...(byWorkspace.get(workspaceId)?.values() ?? [])]
        .sort((a, b) => compareCodePoints(a.id, b.id))
        .filter(({ id }) => after === undefined || compareCodePoints(id, after) > 0)
        .slice(0, limit)
    },
  }
}
