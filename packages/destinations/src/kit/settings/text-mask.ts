import { createTextSearch } from '@sluice/core'

/**
 * Returns a function that replaces every occurrence of the given strings by `standIn`; overlapping occurrences are
 * replaced once. See `createTextSearch` for the time it takes.
 */
export function createTextMask(texts: readonly string[], standIn: string): (text: string) => string {
  const search = createTextSearch(texts)
  return (text) => {
    const found = search.rangesIn(text)
    if (found.length === 0) return text
    const kept = found.map(([start], index) => text.slice(found[index - 1]?.[1] ?? 0, start))
    return [...kept, text.slice(found.at(-1)?.[1])].join(standIn)
  }
}
