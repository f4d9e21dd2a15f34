import { createKeyedQueue } from '@sluice/core'
import { type Answer, problem } from './answer.ts'

/** Searches of a workspace that run or wait. */
const searchesMax = 20

/**
 * Runs searches of what a workspace keeps one after the other: each reads much of the store, and several at once would
 * delay the writes of other workspaces. Further ones are refused.
 */
export type SearchTurns = (workspaceId: string, search: () => Promise<Answer>) => Promise<Answer>

export function createSearchTurns(): SearchTurns {
  const queue = createKeyedQueue(searchesMax)
  return async (workspaceId, search) => {
    if (!queue.isFull(workspaceId)) return queue.run(workspaceId, search)
    const busy = problem(
      'searchesTooMany',
      `${searchesMax} searches of the workspace are under way; try again after the time in Retry-After`,
    )
    return { ...busy, headers: { 'retry-after': '1' } }
  }
}
