import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember } from '../../kit/index.ts'

/** Members that CleverTap takes as objects. Source: CleverTap docs, Upload User Profiles (category subscriptions). */
const kept: ReadonlySet<string> = new Set(['category-unsubscribe', 'category-resubscribe'])

/** Returns members as CleverTap accepts them: nested objects and lists become JSON texts. */
export function clevertapData(members: JsonObject, omitted: ReadonlySet<string>): JsonObject {
  const data: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(members)) {
    if (omitted.has(key)) continue
    const value = members[key]
    const isNested = (isJsonObject(value) || Array.isArray(value)) && !kept.has(key)
    setMember(data, key, isNested ? JSON.stringify(value) : value)
  }
  return data
}
