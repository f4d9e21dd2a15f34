import type { Clock } from '@sluice/core'

/** How long a refusal also answers requests for as many deletions, or more. */
const refusedMs = 1_000

/** Remembers, by workspace, how many deletions were too many a moment ago. */
interface Refusals {
  add(workspaceId: string, count: number): void
  /** Returns whether as many, or fewer, were refused within the last second. */
  has(workspaceId: string, count: number): boolean
}

export function createRefusals(clock: Pick<Clock, 'now'>): Refusals {
  const refused = new Map<string, { readonly count: number; readonly at: number }>()
  const isOver = (at: number): boolean => Math.abs(clock.now() - at) >= refusedMs
  return {
    add(workspaceId, count) {
      for (const [id, { at }] of refused) if (isOver(at)) refused.delete(id)
      refused.set(workspaceId, { count, at: clock.now() })
    },
    has(workspaceId, count) {
      const last = refused.get(workspaceId)
      return last !== undefined && !isOver(last.at) && count >= last.count
    },
  }
}
