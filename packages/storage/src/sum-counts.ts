import type { CountDelta } from '@sluice/pipeline'

/** Returns one row per distinct counter, in order of first appearance. */
export function sumCounts<Count extends CountDelta>(deltas: readonly Count[]): readonly Count[] {
  if (deltas.length < 2) return deltas
  const sums = new Map<string, Count>()
  for (const delta of deltas) {
    const key = counterKey(delta)
    const known = sums.get(key)
    sums.set(key, known === undefined ? delta : { ...known, count: known.count + delta.count })
  }
  return [...sums.values()]
}

/** Returns a text that is unique to a counter. The lengths keep its parts apart; JSON text would take several times as long. */
export function counterKey({ workspaceId, sourceId, destinationId, kind, reason, named }: CountDelta): string {
  const lengths = `${workspaceId.length} ${sourceId.length} ${destinationId.length}`
  const counter = `${kind} ${lengths} ${workspaceId}${sourceId}${destinationId}${reason}`
  return named === undefined ? counter : `${reason.length} ${named.day} ${counter}${named.name}`
}
