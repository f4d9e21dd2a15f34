import type { BatchEntry, BatchRule } from './batch-rule.ts'

/**
 * Applies a batch rule to groups of events of one kind, for products that accept only one kind per request. Makes as
 * few groups as possible without moving an event of a user before an earlier one.
 */
export function batchPerKind(kindOf: (entry: BatchEntry) => string, rule: BatchRule): BatchRule {
  return (entries, settings, limits) => {
    const groups: BatchEntry[][] = []
    const positionsByKind = new Map<string, number[]>()
    const reached = new Map<string, number>()
    for (const entry of entries) {
      const kind = kindOf(entry)
      const positions = positionsByKind.get(kind) ?? []
      positionsByKind.set(kind, positions)
      const earliest = reached.get(entry.userKey) ?? 0
      let position = positions.find((each) => each >= earliest)
      if (position === undefined) {
        position = groups.push([]) - 1
        positions.push(position)
      }
      groups[position]?.push(entry)
      reached.set(entry.userKey, position)
    }
    return groups.flatMap((group) => rule(group, settings, limits))
  }
}
