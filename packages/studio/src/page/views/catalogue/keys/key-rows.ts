import type { CatalogueDetail } from '@sluice/http'

/** Types of keys in the words of the page: what the catalogue calls `float64` is a number. */
export type KeyType = 'text' | 'number' | 'yes or no' | 'object' | 'list'

/** One key of an event, as a row of an indented table. Keys of all items of a list are one row. */
export interface KeyRow {
  /** Key names from the top; items of lists have none. */
  readonly path: readonly string[]
  readonly type: KeyType
  /** Events that had the key. */
  readonly count: number
  /** Events by type, where a key came with several; the one above is left out. */
  readonly otherTypes: readonly { readonly type: KeyType; readonly count: number }[]
  /** Paths of the catalogue that the row stands for. */
  readonly sources: readonly string[]
}

const typeNames: Readonly<Record<string, KeyType>> = { string: 'text', float64: 'number', bool: 'yes or no' }

interface Node {
  readonly members: Map<string, Node>
  readonly sources: string[]
  isList: boolean
}

type Detail = Pick<CatalogueDetail, 'keyCounts' | 'versions'> & {
  readonly model: Pick<CatalogueDetail['model'], 'schema'>
}

/** Returns the keys of an event with the objects and lists that hold them, in the order of the catalogue. */
export function keyRows({ model, keyCounts, versions }: Detail): readonly KeyRow[] {
  const root = newNode()
  for (const source of Object.keys(model.schema)) add(root, source.split('.'), source)
  const typesOf = (sources: readonly string[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>()
    for (const { schema, totalCount } of versions) {
      const types = new Set(sources.flatMap((source) => schema[source] ?? []))
      for (const type of types) counts.set(type, (counts.get(type) ?? 0) + totalCount)
    }
    return counts
  }
  const rowsOf = (node: Node, path: readonly string[]): readonly KeyRow[] =>
    [...node.members].flatMap(([name, member]) => {
      const own = [...path, name]
      const below = rowsOf(member, own)
      const all = allSources(member)
      const count = Math.max(0, ...all.map((source) => keyCounts[source] ?? 0))
      if (below.length > 0 || member.isList)
        return [
          { path: own, type: member.isList ? 'list' : 'object', count, otherTypes: [], sources: all } satisfies KeyRow,
          ...below,
        ]
      const [first, ...others] = [...typesOf(member.sources)].sort(([, a], [, b]) => b - a)
      const known = model.schema[member.sources[0] ?? ''] ?? ''
      return [
        {
          path: own,
          type: nameOf(first?.[0] ?? known),
          count,
          otherTypes: others.map(([type, events]) => ({ type: nameOf(type), count: events })),
          sources: member.sources,
        },
      ]
    })
  return rowsOf(root, [])
}

function newNode(): Node {
  return { members: new Map(), sources: [], isList: false }
}

function add(node: Node, [name, ...rest]: readonly string[], source: string): void {
  if (name === undefined) node.sources.push(source)
  else if (/^\d+$/.test(name)) {
    // An index of a list: all its items share their rows.
    node.isList = true
    add(node, rest, source)
  } else {
    const member = node.members.get(name) ?? newNode()
    node.members.set(name, member)
    add(member, rest, source)
  }
}

function allSources({ members, sources }: Node): readonly string[] {
  return [...sources, ...[...members.values()].flatMap(allSources)]
}

function nameOf(type: string): KeyType {
  return typeNames[type] ?? 'text'
}
