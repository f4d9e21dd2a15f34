import type { KeyPath } from '../editor/event-paths.ts'

/** Most paths of a list, and levels of a path. */
const pathsMax = 500
const depthMax = 8

/** Returns the key paths of events, with the share of events that have them. Empty while the text is no JSON. */
export function keyPathsOf(events: string): readonly KeyPath[] {
  let list: unknown
  try {
    list = JSON.parse(events)
  } catch {
    return []
  }
  if (!Array.isArray(list) || list.length === 0) return []
  const counts = new Map<string, number>()
  for (const event of list.slice(0, 100)) {
    const seen = new Set<string>()
    collect(event, '', 0, seen)
    for (const path of seen) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const total = Math.min(list.length, 100)
  return [...counts].map(([path, count]) => ({ path, share: count / total }))
}

function collect(value: unknown, prefix: string, depth: number, seen: Set<string>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= depthMax) return
  for (const [key, member] of Object.entries(value)) {
    if (seen.size >= pathsMax) return
    const path = prefix === '' ? key : `${prefix}.${key}`
    seen.add(path)
    collect(member, path, depth + 1, seen)
  }
}
