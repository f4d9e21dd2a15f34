import type { JsonValue } from '@sluice/core'

/** Milliseconds since 1970 of a date in text, or of such a number; nothing where it is no date. */
export function milliseconds(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Whole seconds since 1970. */
export function seconds(value: JsonValue): number | undefined {
  const at = milliseconds(value)
  return at === undefined ? undefined : Math.floor(at / 1000)
}

/** ISO 8601 in UTC with milliseconds. */
export function isoDate(value: JsonValue): string | undefined {
  const at = milliseconds(value)
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString()
}
