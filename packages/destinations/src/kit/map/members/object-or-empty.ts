import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'

/**
 * Returns a value that is an object; an empty object for other values.
 * @example
 * ```ts
 * import { objectOrEmpty } from '@sluice/destinations/kit'
 *
 * console.log(objectOrEmpty('text'), objectOrEmpty({ a: 1 })) // {} { a: 1 }
 * ```
 */
export function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
