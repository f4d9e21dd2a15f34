import type { JsonObject, JsonValue } from '@sluice/core'

/** Returns a copy without the members that are undefined. */
export function defined(members: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {}
  for (const key of Object.keys(members)) {
    const value = members[key]
    if (value !== undefined) kept[key] = value
  }
  return kept
}
