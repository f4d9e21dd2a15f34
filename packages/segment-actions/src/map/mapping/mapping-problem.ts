import { isJsonObject, type JsonValue } from '@sluice/core'
import type { SettingsProblem } from '@sluice/destinations'

/** A mistake in a mapping. `path` names keys of directives as well: `email.@if.then`. */
export type MappingProblem = SettingsProblem

const shownLengthMax = 200 // characters of an invalid value that are shown

/** Returns an invalid value for display: cut when long, described when it is an object or a list. */
export function shownValue(value: unknown): JsonValue | undefined {
  if (typeof value === 'string') return value.slice(0, shownLengthMax)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return 'a list'
  return isJsonObject(value) ? 'an object' : undefined
}
