import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/** A member that changes. */
export interface MemberChange {
  /** Such as `settings.headers[0].from`. */
  readonly path: string
  /** Absent when it was not there, or for a secret. */
  readonly before?: JsonValue
  /** Absent when it is removed, or for a secret. */
  readonly after?: JsonValue
  /** Whether its values are not shown. */
  readonly secret?: true
}

/**
 * Returns the members that differ between two bodies, the innermost ones.
 * @param isSecret whether the values at a path are not to be shown.
 */
export function memberChanges(
  before: JsonObject,
  after: JsonObject,
  isSecret: (path: string) => boolean,
): readonly MemberChange[] {
  return changesIn(before, after, '', isSecret)
}

function changesIn(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  isSecret: (path: string) => boolean,
): readonly MemberChange[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isSecret(path)) return [{ path, secret: true }]
  if (isJsonObject(before) && isJsonObject(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changesIn(before[key], after[key], path === '' ? key : `${path}.${key}`, isSecret),
    )
  if (Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, i) =>
      changesIn(before[i], after[i], `${path}[${i}]`, isSecret),
    ).flat()
  return [
    {
      path,
      before: before === undefined ? undefined : shown(before, path, isSecret),
      after: after === undefined ? undefined : shown(after, path, isSecret),
    },
  ]
}

/** Returns a value without what is secret in it. */
function shown(value: JsonValue, path: string, isSecret: (path: string) => boolean): JsonValue {
  if (isSecret(path)) return '(secret)'
  if (Array.isArray(value)) return value.map((item: JsonValue, i) => shown(item, `${path}[${i}]`, isSecret))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shown(member ?? null, `${path}.${key}`, isSecret)]),
  )
}
