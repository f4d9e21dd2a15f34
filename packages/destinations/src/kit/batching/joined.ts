import type { Batch, BatchRule } from './batch-rule.ts'

/**
 * Joins batches that share events into one batch with several requests, so that all requests of an event succeed or
 * fail together. Requests and joined batches keep the order in which the batch rule returned them. Joining may change
 * the order of a user's requests, so nothing is joined when `keepsOrder` is set.
 */
export function joined(rule: BatchRule): BatchRule {
  return (entries, settings, limits) => {
    const batches = rule(entries, settings, limits)
    if (limits?.keepsOrder) return batches
    // Union-find: each batch points to an earlier one of its group, the first one to itself.
    const leaders: number[] = []
    const leaderOf = (position: number): number => {
      let at = position
      while (leaders[at] !== at) at = leaders[at] as number
      return at
    }
    const batchOfEvent = new Map<number, number>()
    for (const [position, { indexes }] of batches.entries()) {
      leaders.push(position)
      for (const index of indexes) {
        const other = leaderOf(batchOfEvent.get(index) ?? position)
        const own = leaderOf(position)
        leaders[Math.max(own, other)] = Math.min(own, other)
        batchOfEvent.set(index, position)
      }
    }
    const groups = new Map<number, Batch[]>()
    for (const [position, batch] of batches.entries()) {
      const leader = leaderOf(position)
      groups.set(leader, [...(groups.get(leader) ?? []), batch])
    }
    return [...groups.values()].map(join)
  }
}

function join(batches: readonly Batch[]): Batch {
  const [only, ...others] = batches as [Batch, ...Batch[]]
  if (others.length === 0) return only
  const indexes = new Set(batches.flatMap((batch) => batch.indexes))
  return {
    requests: batches.flatMap(({ requests }) => requests),
    indexes: [...indexes].sort((a, b) => a - b),
    parts: batches.flatMap(({ parts }) => parts),
    batched: batches.some(({ batched }) => batched),
  }
}
