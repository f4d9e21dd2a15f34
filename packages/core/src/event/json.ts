/** Any JSON value. Read-only, because stages never change their input. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. Members that are `undefined` are left out of its JSON text. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/**
 * Returns whether a value is a JSON object, that is, neither null nor an array.
 * @example
 * ```ts
 * import { isJsonObject } from '@sluice/core'
 *
 * console.log(isJsonObject({}), isJsonObject([]), isJsonObject(null)) // true false false
 * ```
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns whether two JSON values are equal; the order of keys does not matter. A missing member differs from null.
 * @example
 * ```ts
 * import { isSameJson } from '@sluice/core'
 *
 * console.log(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 }), isSameJson({ a: null }, {})) // true false
 * ```
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.entries(a), Object.entries(b)]
  const members: Readonly<Record<string, unknown>> = { ...b }
  return (
    keys.length === others.length &&
    keys.every(([key, value]) => Object.hasOwn(b, key) && isSameJson(value, members[key]))
  )
}
