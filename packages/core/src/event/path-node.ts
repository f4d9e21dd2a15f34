/** A tree of selected key paths of an event. */
export interface PathNode {
  /** True when a selected path ends here. It covers everything below as well. */
  readonly ends: boolean
  readonly below: ReadonlyMap<string, PathNode>
}

interface OpenNode extends PathNode {
  ends: boolean
  readonly below: Map<string, OpenNode>
}

const newNode = (): OpenNode => ({ ends: false, below: new Map() })

/**
 * Parses paths such as `context.traits.email`. `*` matches any single key; items of a list have the path of the list.
 */
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

/**
 * Returns the nodes one key deeper. With `*`, several paths may match the same key.
 * @example
 * ```ts
 * import { parsePaths, stepInto } from '@sluice/core'
 *
 * const below = stepInto(stepInto([parsePaths(['context.traits.email', 'context.*.phone'])], 'context'), 'traits')
 * console.log(below.length) // 2
 * ```
 */
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
