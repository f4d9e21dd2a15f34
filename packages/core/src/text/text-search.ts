/** Finds any of several texts in others. */
export interface TextSearch {
  /** Returns where the texts occur, in order; overlapping occurrences are one range. */
  rangesIn(text: string): readonly TextRange[]
  /** Returns whether one of the texts occurs. @param accepts whether an occurrence counts; default all do. */
  isIn(text: string, accepts?: (start: number, end: number) => boolean): boolean
  /** Returns how many characters at the end of `text` are the beginning of one of the texts. */
  begunAtEndOf(text: string): number
}

export type TextRange = readonly [start: number, end: number]

/**
 * Creates a search for texts. Empty ones are ignored.
 *
 * Both steps take linear time, however many texts there are and however similar they are: the texts become one trie,
 * and the input is read once (Aho-Corasick). Children of a node are found by binary search rather than by a hash, which
 * an attacker could make collide. An `accepts` that refuses occurrences adds the refused ones.
 *
 * Source: Aho and Corasick, "Efficient string matching", Communications of the ACM 18(6), 1975.
 * @example
 * ```ts
 * import { createTextSearch } from '@sluice/core'
 *
 * const secrets = createTextSearch(['key-1', 'key-12'])
 * console.log(secrets.rangesIn('sent key-12')) // [ [ 5, 11 ] ]
 * ```
 */
export function createTextSearch(texts: readonly string[]): TextSearch {
  const tree = createTree(texts)
  return {
    rangesIn: (text) => rangesIn(text, tree),
    isIn: (text, accepts = () => true) => {
      let node = 0
      for (let end = 1; end <= text.length; end += 1) {
        const char = text.charCodeAt(end - 1)
        if (node === 0 && tree.beginners[char & 255] === 0) continue // nearly every character
        node = tree.next(node, char)
        for (let at = node; tree.longestAt(at) > 0; at = tree.fallbackOf(at)) {
          const length = tree.longestAt(at)
          if (tree.depthOf(at) === length && accepts(end - length, end)) return true
        }
      }
      return false
    },
    begunAtEndOf: (text) => {
      let node = 0
      for (let index = 0; index < text.length; index += 1) node = tree.next(node, text.charCodeAt(index))
      return tree.depthOf(node)
    },
  }
}

/** Returns the ranges of the input, in order and without overlaps. */
function rangesIn(text: string, tree: Tree): readonly TextRange[] {
  const found: TextRange[] = []
  let node = 0
  for (let end = 1; end <= text.length; end += 1) {
    const char = text.charCodeAt(end - 1)
    if (node === 0 && tree.beginners[char & 255] === 0) continue // nearly every character
    node = tree.next(node, char)
    const length = tree.longestAt(node)
    if (length === 0) continue
    let start = end - length
    for (let last = found.at(-1); last && last[1] > start; last = found.at(-1)) {
      start = Math.min(start, last[0])
      found.pop()
    }
    found.push([start, end])
  }
  return found
}

interface Tree {
  /** Returns the node for the longest suffix of the input that is a prefix of a given string. */
  next(node: number, char: number): number
  /** Returns the length of the longest given string that ends at the node; 0 if none does. */
  longestAt(node: number): number
  /** Returns the node for the longest proper suffix that is also a prefix of a given string. */
  fallbackOf(node: number): number
  /** Returns the number of characters that lead to a node. */
  depthOf(node: number): number
  /** Indexed by the lower byte of a character; 0 if no given string starts with such a character. */
  readonly beginners: Uint8Array
}

/**
 * Builds the trie. Node 0 is the root. Nodes are numbered level by level, so siblings are adjacent, ordered by
 * character.
 */
function createTree(texts: readonly string[]): Tree {
  const sorted = [...new Set(texts)].filter((text) => text !== '').sort()
  const nodesMax = sorted.reduce((sum, { length }) => sum + length, 1)
  const chars = new Uint16Array(nodesMax)
  /** Index of the first child of each node; its children end where those of the next node start. */
  const children = new Int32Array(nodesMax + 1)
  /** Failure links: the node for the longest proper suffix that is also a prefix of a given string. */
  const fallbacks = new Int32Array(nodesMax)
  const longest = new Int32Array(nodesMax)
  const depths = new Int32Array(nodesMax)
  /** Range of `sorted` below each node. */
  const lows = new Int32Array(nodesMax)
  const highs = new Int32Array(nodesMax)

  const childOf = (node: number, char: number): number => {
    let low = children[node] ?? 0
    let high = children[node + 1] ?? 0
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((chars[middle] ?? 0) < char) low = middle + 1
      else high = middle
    }
    return low < (children[node + 1] ?? 0) && chars[low] === char ? low : 0
  }
  const next = (node: number, char: number): number => {
    for (let from = node; ; from = fallbacks[from] ?? 0) {
      const child = childOf(from, char)
      if (child !== 0 || from === 0) return child
    }
  }

  highs[0] = sorted.length
  let count = 1
  for (let node = 0, depth = 0, levelEnd = 1; node < count; node += 1) {
    if (node === levelEnd) {
      depth += 1
      levelEnd = count
    }
    children[node] = count
    depths[node] = depth
    let at = lows[node] ?? 0
    const high = highs[node] ?? 0
    const endsHere = depth > 0 && sorted[at]?.length === depth
    longest[node] = endsHere ? depth : (longest[fallbacks[node] ?? 0] ?? 0)
    if (endsHere) at += 1
    while (at < high) {
      const char = sorted[at]?.charCodeAt(depth) ?? 0
      lows[count] = at
      while (at < high && sorted[at]?.charCodeAt(depth) === char) at += 1
      highs[count] = at
      chars[count] = char
      fallbacks[count] = node === 0 ? 0 : next(fallbacks[node] ?? 0, char)
      count += 1
    }
  }
  children[count] = count
  const beginners = new Uint8Array(256)
  for (const text of sorted) beginners[text.charCodeAt(0) & 255] = 1
  return {
    next,
    longestAt: (node) => longest[node] ?? 0,
    fallbackOf: (node) => fallbacks[node] ?? 0,
    depthOf: (node) => depths[node] ?? 0,
    beginners,
  }
}
