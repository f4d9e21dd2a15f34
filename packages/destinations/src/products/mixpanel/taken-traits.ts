import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { valueAt } from '../../kit/rules/key-path.ts'

/** Traits that go a way of their own, and the others. */
export interface TakenTraits {
  /** By the path they were asked for by, in the order of the paths. */
  readonly taken: readonly (readonly [path: string, value: JsonValue])[]
  readonly others: JsonObject
}

/** Takes traits out by their paths (`plan`, `address.city`). What is not there, or null, stays. Nothing is changed. */
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

/** Puts traits back under their paths: `address.city` becomes a member of `address`. */
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

/** The path may be anything a person wrote, also the name of what every object inherits. */
function isOwn(value: JsonValue | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  return isJsonObject(value) && Object.hasOwn(value, key) && isOwn(value[key], rest)
}
