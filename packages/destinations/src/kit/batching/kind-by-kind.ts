import type { BatchEntry, BatchRule } from './batch.ts'

/**
 * Lets a batch rule see events of one kind at a time, for products whose requests go out kind by kind: as few groups as
 * can be without a user's later event going into an earlier group than the one before it.
 */
export function kindByKind(kindOf: (entry: BatchEntry) => string, rule: BatchRule): BatchRule {
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
