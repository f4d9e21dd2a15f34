import { isSameJson, type JsonValue } from '@sluice/core'
import { insidePair } from '../cases/inside-pair.ts'

/** One place where two values differ. */
export interface ValueChange {
  /** Such as `[].body.JSON.value`: entries of lists have no number, so that the same change has the same path. */
  readonly path: string
  /** Undefined where the place is absent. */
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** Most places per value. A value that differs in more is one that differs whole. */
const changesMax = 200

/**
 * Returns the places where two JSON values differ, each as far inside as both have the same kind of value. Entries of
 * lists are aligned, so that one more entry is one change. Empty when they are the same.
 */
export function valueChanges(before: JsonValue | undefined, after: JsonValue | undefined, path = ''): ValueChange[] {
  const changes: ValueChange[] = []
  collect(before, after, path, changes)
  return changes.length > changesMax ? [{ path, before, after }] : changes
}

function collect(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  changes: ValueChange[],
): void {
  if (changes.length > changesMax || before === after) return
  const inside = before === undefined || after === undefined ? undefined : insidePair(before, after, isSameJson)
  if (inside === undefined) changes.push({ path, before, after })
  else if (inside.kind === 'list')
    for (const pair of inside.pairs) collect(pair.expected, pair.actual, `${path}[]`, changes)
  else for (const pair of inside.pairs) collect(pair.expected, pair.actual, memberPath(path, pair.key), changes)
}

/** Keys that are ids of something: each event has others, so that they are one place. */
const idLike = /^(?:\d{4,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,27}|[0-9a-f]{16,})$/i
const plainKey = /^[A-Za-z_$][\w$]*$/

function memberPath(path: string, key: string): string {
  if (idLike.test(key)) return `${path}[id]`
  return plainKey.test(key) ? `${path}${path === '' ? '' : '.'}${key}` : `${path}[${JSON.stringify(key)}]`
}
