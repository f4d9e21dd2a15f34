import type { AuditEntry, AuditLog } from '@sluice/pipeline'

export function createMemoryAuditLog(entriesMax: number, requireOpen: () => void): AuditLog {
  const entries: AuditEntry[] = []
  return {
    add: async (entry) => {
      requireOpen()
      entries.push({ ...entry })
      if (entries.length > entriesMax) entries.shift()
    },
    list: async (workspaceId, limit) => {
      requireOpen()
      return entries
        .filter((entry) => entry.workspaceId === workspaceId)
        .reverse()
        .slice(0, limit)
    },
  }
}
