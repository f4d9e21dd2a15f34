import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { withMember } from '../../kit/index.ts'

/** Traits at given paths, and all other traits. */
interface TakenTraits {
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
    const value = keys.reduce<JsonValue | undefined>(ownMember, others)
    if (value === undefined || value === null) continue
    taken.push([path, value])
    others = withMember(others, keys, undefined)
  }
  return { taken, others }
}

/** Nests traits under their paths: `address.city` becomes a member of `address`. */
export function nested(taken: TakenTraits['taken']): JsonObject {
  return taken.reduce<JsonObject>((traits, [path, value]) => withMember(traits, path.split('.'), value), {})
}

/** Settings may contain names of inherited members, such as toString. */
function ownMember(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
