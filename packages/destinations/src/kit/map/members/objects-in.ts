import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/**
 * Returns the objects in a list; an empty list for other values.
 * @example
 * ```ts
 * import { objectsIn } from '@sluice/destinations/kit'
 *
 * console.log(objectsIn([{ a: 1 }, 2])) // [ { a: 1 } ]
 * ```
 */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
