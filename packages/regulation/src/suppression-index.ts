import { identifierText } from '@sluice/core'
import type { Regulation } from './regulation.ts'

/** Answers whose events must not be processed. Exact on userId × (all sources | listed sources), per workspace. */
export interface SuppressionIndex {
  /** @param userId as the event carries it; compared as cleaned text. A blank one matches nobody. */
  matches(workspaceId: string, sourceId: string, userId: unknown): boolean
}

/** An index that follows the regulations one by one. What it suppresses is the union of those that were put and not removed. */
export interface MutableSuppressionIndex extends SuppressionIndex {
  /** Putting the same regulation again changes nothing. */
  put(regulation: Regulation): void
  /** Leaves other regulations on the same user in force. */
  remove(regulation: Regulation): void
}

export function createSuppressionIndex(): MutableSuppressionIndex {
  const byWorkspace = new Map<string, Map<string, Map<string, Regulation>>>()

  return {
    matches(workspaceId, sourceId, userId) {
      const users = byWorkspace.get(workspaceId)
      if (users === undefined) return false
      const regulations = users.get(identifierText(userId))
      if (regulations === undefined) return false
      for (const { sourceIds } of regulations.values()) {
        if (sourceIds.length === 0 || sourceIds.includes(sourceId)) return true
      }
      return false
    },

    put(regulation) {
      const { workspaceId, id } = regulation
      const userId = identifierText(regulation.attributes.userId)
      if (userId === '') return
      const users = byWorkspace.get(workspaceId) ?? new Map<string, Map<string, Regulation>>()
      byWorkspace.set(workspaceId, users)
      const regulations = users.get(userId) ?? new Map<string, Regulation>()
      users.set(userId, regulations)
      regulations.set(id, regulation)
    },

    remove(regulation) {
      const users = byWorkspace.get(regulation.workspaceId)
      const userId = identifierText(regulation.attributes.userId)
      const regulations = users?.get(userId)
      if (users === undefined || regulations === undefined) return
      regulations.delete(regulation.id)
      if (regulations.size === 0) users.delete(userId)
    },
  }
}
