import type { ChangeLog, ChangeRecord } from '@sluice/pipeline'
import { isChosenChange } from '@sluice/pipeline/store'

export function createMemoryChangeLog(changesMax: number, requireOpen: () => void): ChangeLog {
  const kept: ChangeRecord[] = []
  let added = 0
  return {
    add: async (changes) => {
      requireOpen()
      for (const change of changes) {
        added += 1
        kept.push({ ...change, id: added })
      }
      if (kept.length > changesMax) kept.splice(0, kept.length - changesMax)
    },
    list: async (workspaceId, limit, filter) => {
      requireOpen()
      return kept
        .filter((change) => change.workspaceId === workspaceId && isChosenChange(change, filter))
        .reverse()
        .slice(0, limit)
    },
  }
}
