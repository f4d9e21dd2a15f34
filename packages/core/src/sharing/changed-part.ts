/** What differs between two lists. */
export interface ChangedPart<T> {
  readonly removed: readonly T[]
  readonly added: readonly T[]
}

/**
 * Returns the parts of two lists between their common beginning and their common end, by identity. A long list in which one
 * element changed has a short changed part, which is found in much less time than any work on all of its elements takes.
 */
export function changedPart<T>(before: readonly T[], now: readonly T[]): ChangedPart<T> {
  if (before === now) return { removed: [], added: [] }
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) start += 1
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end += 1
  return { removed: before.slice(start, before.length - end), added: now.slice(start, now.length - end) }
}
