/**
 * Returns a function that replaces every occurrence of the given strings by `standIn`; overlapping occurrences are
 * replaced once.
 *
 * Both steps take linear time, however many strings there are and however similar they are: the strings become one
 * trie, and the input is read once (Aho-Corasick). Children of a node are found by binary search rather than by a hash,
 * which an attacker could make collide.
 *
 * Source: Aho and Corasick, "Efficient string matching", Communications of the ACM 18(6), 1975.
 */
export function createTextMask(texts: readonly string[], standIn: string): (text: string) => string {
  const tree = createTree(texts)
  return (text) => {
    const found = rangesIn(text, tree)
    if (found.length === 0) return text
    const kept = found.map(([start], index) => text.slice(found[index - 1]?.[1] ?? 0, start))
    return [...kept, text.slice(found.at(-1)?.[1])].join(standIn)
  }
}

type Range = readonly [start: number, end: number]

/** Returns the ranges of the input to replace, in order and without overlaps. */
function rangesIn(text: string, tree: Tree): readonly Range[] {
  const found: Range[] = []
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
  return { next, longestAt: (node) => longest[node] ?? 0, beginners }
}
