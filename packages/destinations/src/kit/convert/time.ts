import type { JsonValue } from '@sluice/core'

/** Converts a date string, or a number of milliseconds, to milliseconds since 1970; undefined for invalid dates. */
export function milliseconds(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Converts a date to whole seconds since 1970. */
export function seconds(value: JsonValue): number | undefined {
  const at = milliseconds(value)
  return at === undefined ? undefined : Math.floor(at / 1000)
}

/** Converts a date to ISO 8601 in UTC with milliseconds. */
export function isoDate(value: JsonValue): string | undefined {
  const at = milliseconds(value)
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString()
}
