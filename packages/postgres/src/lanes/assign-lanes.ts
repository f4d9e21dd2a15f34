/**
 * Returns which lanes each node is to hold. Every node comes to the same result from the same list of nodes; when one joins
 * or leaves, few lanes move. No node holds more than its share, rounded up.
 * Source: rendezvous hashing, bounded.
 */
export function assignLanes(lanes: number, nodeIds: readonly string[]): ReadonlyMap<string, ReadonlySet<number>> {
  const shareMax = Math.ceil(lanes / Math.max(1, nodeIds.length))
  const assigned = new Map(nodeIds.map((id) => [id, new Set<number>()]))
  for (let lane = 0; lane < lanes; lane += 1) {
    const ranked = nodeIds
      .map((id) => ({ id, rank: hashOf(`${lane} ${id}`) }))
      .sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1))
    const chosen = ranked.find(({ id }) => (assigned.get(id)?.size ?? 0) < shareMax)
    if (chosen) assigned.get(chosen.id)?.add(lane)
  }
  return assigned
}

/** FNV-1a, with its bits mixed: without that, texts that differ in their first characters only have similar hashes. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
