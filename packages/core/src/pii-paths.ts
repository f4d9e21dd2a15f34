/** A choice among the values of an event by key path. */
export interface PathNode {
  /** True when a path ends here: it stands for everything below as well. */
  readonly ends: boolean
  readonly below: ReadonlyMap<string, PathNode>
}

interface OpenNode extends PathNode {
  ends: boolean
  readonly below: Map<string, OpenNode>
}

const newNode = (): OpenNode => ({ ends: false, below: new Map() })

/** Reads paths like `context.traits.email`; `*` stands for any one key, and items of lists go by their list's path. */
export function parsePaths(paths: readonly string[]): PathNode {
  const root = newNode()
  for (const path of paths) {
    let node = root
    for (const key of path.split('.')) {
      const next = node.below.get(key) ?? newNode()
      node.below.set(key, next)
      node = next
    }
    node.ends = true
  }
  return root
}

/** The nodes one key further. Of several paths with `*` more than one can go on. */
export function stepInto(nodes: readonly PathNode[], key: string): readonly PathNode[] {
  if (nodes.length === 0) return nodes
  const next: PathNode[] = []
  for (const { below } of nodes) {
    const named = below.get(key)
    if (named !== undefined) next.push(named)
    const any = below.get('*')
    if (any !== undefined) next.push(any)
  }
  return next
}
