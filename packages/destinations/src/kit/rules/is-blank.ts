import type { JsonValue } from '@sluice/core'

/**
 * Returns whether a value is absent, null or ''.
 * @example
 * ```ts
 * import { isBlank } from '@sluice/destinations/kit'
 *
 * console.log(isBlank(''), isBlank(0)) // true false
 * ```
 */
export function isBlank(value: JsonValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}

/**
 * Returns whether a value is neither absent nor null nor ''.
 * @example
 * ```ts
 * import { isPresent } from '@sluice/destinations/kit'
 *
 * console.log(isPresent(false), isPresent(null)) // true false
 * ```
 */
export function isPresent(value: JsonValue | undefined): value is JsonValue {
  return !isBlank(value)
}
