import type { CountDelta } from '@sluice/pipeline'

/** Returns one row per distinct counter, in order of first appearance. */
export function sumCounts(deltas: readonly CountDelta[]): readonly CountDelta[] {
  if (deltas.length < 2) return deltas
  const sums = new Map<string, CountDelta>()
  for (const delta of deltas) {
    const key = counterKey(delta)
    const known = sums.get(key)
    sums.set(key, known === undefined ? delta : { ...known, count: known.count + delta.count })
  }
  return [...sums.values()]
}

/** Returns a text that is unique to a counter. */
export function counterKey({ workspaceId, sourceId, destinationId, kind, reason }: CountDelta): string {
  return JSON.stringify([workspaceId, sourceId, destinationId, kind, reason])
}
