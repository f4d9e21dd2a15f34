import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { isPlaceholder, placeholderKinds } from './placeholder.ts'

/**
 * Returns whether a value is as expected: the same JSON, in any order of keys. The expected value may have placeholders
 * for varying values, or matchers such as vitest's `expect.any(String)` and `expect.objectContaining(…)`.
 * @example
 * ```ts
 * import { matches } from '@sluice/testing'
 *
 * console.log(matches({ id: { $any: 'string' } }, { id: 'x' })) // true
 * ```
 */
export function matches(expected: unknown, actual: unknown): boolean {
  if (expected === actual) return true
  if (isMatcher(expected)) return expected.asymmetricMatch(actual)
  if (isPlaceholder(expected)) return isOfKind(String(expected.$any), actual)
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((item: unknown, index) => matches(item, actual[index] ?? null))
    )
  if (!isJsonObject(expected) || !isJsonObject(actual)) return false
  const keys = keysOf(expected)
  return (
    keys.length === keysOf(actual).length &&
    keys.every((key) => {
      const [wanted, given] = [memberOf(expected, key), memberOf(actual, key)]
      return wanted !== undefined && given !== undefined && matches(wanted, given)
    })
  )
}

/** A matcher of vitest, such as `expect.any(String)`. */
function isOfKind(kind: string, value: unknown): boolean {
  return Object.hasOwn(placeholderKinds, kind) && placeholderKinds[kind]?.(value) === true
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean
}

export function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

/** Returns the keys in JSON, that is, without members that are undefined. */
export function keysOf(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined)
}

/** Returns an own member, because events may have keys that every object inherits. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
