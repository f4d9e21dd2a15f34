import type { JsonValue } from '@sluice/core'

/** Returns whether a value is absent, null or ''. */
export function isBlank(value: JsonValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}

/** Returns whether a value is neither absent nor null nor ''. */
export function isPresent(value: JsonValue | undefined): value is JsonValue {
  return !isBlank(value)
}
