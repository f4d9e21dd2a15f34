import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { setMember } from '../../define/set-member.ts'
import { flatten } from '../../map/members/flatten.ts'
import { withoutMembers } from '../../map/members/without-members.ts'
import type { RestRule, Rule } from '../rule.ts'

/** Returns the members that a `rest` rule copies as a new object; undefined if it sets nothing. */
export function restOf(
  value: JsonValue | undefined,
  rule: RestRule,
  without: ReadonlySet<string>,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  const kept = without.size === 0 ? value : withoutMembers(value, without)
  const rest = rule.isFlat ? flatten(kept) : kept
  return rule.skipsEmpty && Object.keys(rest).length === 0 ? undefined : rest
}

/**
 * Returns the names that a `rest` rule leaves out: those that it lists and, with `unmapped`, those that other rules
 * read.
 */
export function namesLeftOut(rule: RestRule, rules: readonly Rule[]): ReadonlySet<string> {
  if (!rule.isUnmapped) return rule.omitted
  const read = rules
    .filter((other) => other !== rule)
    .flatMap(({ value }) => (value.of === 'source' ? value.paths : []))
  const prefixes = rule.value.paths
  const mapped = read.flatMap((path) =>
    prefixes.flatMap((prefix) => {
      const key = path[prefix.length]
      return key !== undefined && prefix.every((part, index) => part === path[index]) ? [key] : []
    }),
  )
  return new Set([...rule.omitted, ...mapped])
}

/** Adds members to an object that our code has created. */
export function addMembers(target: Record<string, JsonValue | undefined>, members: JsonObject): void {
  for (const key of Object.keys(members)) setMember(target, key, members[key])
}
