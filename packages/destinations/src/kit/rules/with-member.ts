import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { KeyPath } from './key-path.ts'

/**
 * Returns a copy with another value at a path; `undefined` removes the member. Missing objects on the way are created;
 * a value on the way that is neither an object nor a list stays.
 */
export function withMember<T extends JsonValue>(value: T, [key, ...rest]: KeyPath, member: JsonValue | undefined): T {
  if (key === undefined) return member as T
  if (Array.isArray(value)) {
    return value.map((element, index) =>
      String(index) === key ? withMember(element, rest, member) : element,
    ) as unknown as T
  }
  if (!isJsonObject(value)) return value
  const { [key]: old, ...others } = value as JsonObject
  if (rest.length === 0 && member === undefined) return others as T
  return { ...others, [key]: rest.length === 0 ? member : withMember(old ?? {}, rest, member) } as unknown as T
}
