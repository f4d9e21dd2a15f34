import type { JsonObject, JsonValue } from '@sluice/core'
import { setMember } from '../define/set-member.ts'

/** A copy without the members of these names. A loop: entries, filtered and joined again, take three times as long. */
export function withoutMembers(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  const kept: Record<string, JsonValue | undefined> = {}
  for (const key of Object.keys(value)) if (!names.has(key)) setMember(kept, key, value[key])
  return kept
}
