import type { AuditLog, AuditRecord } from '@sluice/pipeline'
import { isChosen } from '@sluice/pipeline/store'

export function createMemoryAuditLog(entriesMax: number, requireOpen: () => void): AuditLog {
  const entries: AuditRecord[] = []
  let added = 0
  return {
    add: async (entry) => {
      requireOpen()
      added += 1
      entries.push({ ...entry, id: added })
      if (entries.length > entriesMax) entries.shift()
    },
    list: async (workspaceId, limit, filter) => {
      requireOpen()
      return entries
        .filter((entry) => entry.workspaceId === workspaceId && isChosen(entry, filter))
        .reverse()
        .slice(0, limit)
    },
  }
}
