import type { JsonValue } from '@sluice/core'

/** Wraps a value in a list, unless it is a list. */
export function list(value: JsonValue): JsonValue {
  return Array.isArray(value) ? value : [value]
}
