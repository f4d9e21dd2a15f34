import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../../kit/index.ts'

/** Traits at given paths, and all other traits. */
export interface TakenTraits {
  /** Traits with their paths, in the order of the paths. */
  readonly taken: readonly (readonly [path: string, value: JsonValue])[]
  readonly others: JsonObject
}

/** Separates traits at given paths (`plan`, `address.city`) from the others. Ignores null and missing ones. Pure. */
export function takeTraits(traits: JsonObject, paths: readonly string[]): TakenTraits {
  const taken: [string, JsonValue][] = []
  let others = traits
  for (const path of paths) {
    const keys = path.split('.')
    const value = valueAt(traits, keys)
    if (value === undefined || value === null || !isOwn(traits, keys)) continue
    taken.push([path, value])
    others = without(others, keys)
  }
  return { taken, others }
}

/** Nests traits under their paths: `address.city` becomes a member of `address`. */
export function nested(taken: TakenTraits['taken']): JsonObject {
  return taken.reduce<JsonObject>((traits, [path, value]) => withMember(traits, path.split('.'), value), {})
}

function without(value: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const { [key]: member, ...others } = value
  if (rest.length === 0 || !isJsonObject(member)) return others
  return { ...others, [key]: without(member, rest) }
}

function withMember(value: JsonObject, [key = '', ...rest]: readonly string[], member: JsonValue): JsonObject {
  if (rest.length === 0) return { ...value, [key]: member }
  const inner = value[key]
  return { ...value, [key]: withMember(isJsonObject(inner) ? inner : {}, rest, member) }
}

/**
 * Returns whether the path leads only through own members. Settings may contain names of inherited members, such as
 * toString.
 */
function isOwn(value: JsonValue | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  return isJsonObject(value) && Object.hasOwn(value, key) && isOwn(value[key], rest)
}
