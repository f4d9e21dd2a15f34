/** Key paths whose values are stored as JSON. A tree by key. */
export interface JsonPaths {
  readonly isEnd: boolean
  readonly next: ReadonlyMap<string, JsonPaths>
}

/** Part of an event that paths begin with. */
export type PathRoot = 'properties' | 'userProperties' | 'traits' | 'context'

const roots: readonly string[] = ['properties', 'userProperties', 'traits', 'context'] satisfies readonly PathRoot[]
/** Types that a full path begins with. Other words are keys of properties. */
const eventTypes = new Set(['track', 'identify', 'page', 'screen', 'group', 'alias', 'extract', 'merge'])

/**
 * Returns the paths below each part of an event, for events of one type. A path is `track.properties.a.b`, or only `a.b`
 * for properties and userProperties of track events. Source: RudderStack docs, JSON column support.
 */
export function jsonPathsOf(paths: readonly string[], type: string): ReadonlyMap<PathRoot, JsonPaths> {
  const trees = new Map<PathRoot, MutablePaths>()
  const add = (root: PathRoot, keys: readonly string[]): void => {
    if (keys.length === 0 || keys.some((key) => key === '')) return
    let at = trees.get(root)
    if (at === undefined) {
      at = { isEnd: false, next: new Map() }
      trees.set(root, at)
    }
    for (const key of keys) {
      const next: MutablePaths = at.next.get(key) ?? { isEnd: false, next: new Map() }
      at.next.set(key, next)
      at = next
    }
    at.isEnd = true
  }
  for (const path of paths) {
    const [first = '', second = '', ...rest] = path.split('.')
    if (roots.includes(second) && eventTypes.has(first)) {
      if (first === type) add(second as PathRoot, rest)
    } else if (type === 'track') {
      add('properties', path.split('.'))
      add('userProperties', path.split('.'))
    }
  }
  return trees
}

interface MutablePaths extends JsonPaths {
  isEnd: boolean
  readonly next: Map<string, MutablePaths>
}
