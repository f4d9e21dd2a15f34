import type { Place } from '@sluice/configuration/file'
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from '#inlined/yaml'

/** A file that was read. */
export interface FileText {
  /** As problems name it. */
  readonly file: string
  readonly text: string
}

/**
 * Returns a function that finds the place of a path such as `sources[0].writeKey` in a YAML or JSON file. For what is
 * not there, it returns the place of the nearest part around it.
 */
export function placeFinder({ file, text }: FileText): (path: string, atKey?: boolean) => Place {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)
  return (path, atKey = false) => {
    let node = resolved(document.contents)
    let offset = startOf(node)
    let rest = path
    while (rest !== '') {
      const found = step(node, rest)
      if (found === undefined) break
      rest = found.rest
      node = resolved(found.value)
      const isWhole = rest === '' && !atKey && (isScalar(found.value) || isAlias(found.value))
      offset = isWhole || found.key === undefined ? startOf(found.value, offset) : startOf(found.key, offset)
    }
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
}

interface Step {
  readonly key?: Node
  readonly value: unknown
  readonly rest: string
}

/** Goes one element or member into a node. Names of members may contain dots and brackets: the longest one counts. */
function step(node: unknown, rest: string): Step | undefined {
  if (isSeq(node)) {
    const [whole = '', index] = /^\[(\d+)\]\.?/.exec(rest) ?? []
    const value = index === undefined ? undefined : node.items[Number(index)]
    return value === undefined ? undefined : { value, rest: rest.slice(whole.length) }
  }
  if (!isMap(node)) return undefined
  const pairs = node.items.flatMap((pair: Pair): (Step & { readonly length: number })[] => {
    const name = isScalar(pair.key) ? String(pair.key.value) : undefined
    if (name === undefined || !rest.startsWith(name)) return []
    const after = rest.slice(name.length)
    if (after !== '' && !/^[.[]/.test(after)) return []
    return [{ key: pair.key as Node, value: pair.value, rest: after.replace(/^\./, ''), length: name.length }]
  })
  return pairs.sort((a, b) => b.length - a.length)[0]
}

function startOf(node: unknown, fallback = 0): number {
  const range = (node as Partial<Node> | null | undefined)?.range
  return range?.[0] ?? fallback
}
