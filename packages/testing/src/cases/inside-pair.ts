import { isJsonObject, type JsonValue } from '@sluice/core'
import { type Aligned, alignLists } from './align.ts'
import { keysOf, matches, memberOf } from './matches.ts'

/** A member of two objects; absent in one that does not have it. */
interface MemberPair extends Pick<Aligned, 'expected' | 'actual'> {
  readonly key: string
}

/** What is inside two values, in pairs to compare. */
export type InsidePair =
  | { readonly kind: 'list'; readonly pairs: readonly Aligned[] }
  | { readonly kind: 'object'; readonly pairs: readonly MemberPair[] }

/**
 * Returns what to compare inside two values of the same kind: entries of lists, aligned by those that both have, or members of
 * objects, those of the first object first. Undefined for values without a common inside. All comparisons of values walk by it.
 * @param isSame whether entries of lists are the same. Default: with the placeholders and matchers of expectations.
 */
export function insidePair(
  expected: JsonValue,
  actual: JsonValue,
  isSame: (expected: JsonValue, actual: JsonValue) => boolean = matches,
): InsidePair | undefined {
  if (Array.isArray(expected) && Array.isArray(actual))
    return { kind: 'list', pairs: alignLists(expected, actual, isSame) }
  if (!isJsonObject(expected) || !isJsonObject(actual)) return undefined
  const keys = new Set([...keysOf(expected), ...keysOf(actual)])
  return {
    kind: 'object',
    pairs: [...keys].map((key) => ({ key, expected: memberOf(expected, key), actual: memberOf(actual, key) })),
  }
}
