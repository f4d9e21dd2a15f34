import type { JsonValue } from '@sluice/core'
import { isoTimeOf } from '@sluice/core/iso-time'

/**
 * Converts a date string, or a number of milliseconds, to milliseconds since 1970; undefined for invalid dates. A text
 * without a time zone is in UTC, whatever the zone of the process is.
 */
export function milliseconds(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const at = typeof value === 'string' ? (isoTimeOf(value) ?? otherTimeOf(value)) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Reads other forms that people write, such as `Dec 17, 1995 03:24`. */
function otherTimeOf(text: string): number {
  if (zone.test(text.trim()) || isoDay.test(text)) return Date.parse(text)
  return Date.parse(isoLocal.test(text) ? `${text}Z` : `${text} UTC`)
}

const zone = /(?:z|[+-]\d{2}:?\d{2}|\b(?:gmt|utc?|[ecmp][sd]t))(?: ?\([^()]*\))?$/i
/** Texts that the language reads as UTC. */
const isoDay = /^[+-]?\d{4,6}(?:-\d\d){0,2}$/
const isoLocal = /^[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+$/

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

const secondsMax = 100_000_000_000 // numbers below it are seconds: as milliseconds they would be in 1973 or before

/**
 * Converts a date to milliseconds since 1970, whatever its unit: a number of seconds or milliseconds, or ISO 8601, in
 * UTC when it has no time zone. Returns undefined for other texts, and for days that do not exist (30 February).
 */
export function instant(value: JsonValue): number | undefined {
  if (typeof value === 'number') return Math.abs(value) < secondsMax ? value * 1000 : value
  const parts = typeof value === 'string' ? isoPattern.exec(value.trim()) : null
  if (!parts) return undefined
  const [, day = '', time = '00:00', zone = 'Z'] = parts
  const midnight = Date.parse(day)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, day.length) !== day) return undefined
  const at = Date.parse(`${day}T${time}${zone}`)
  return Number.isNaN(at) ? undefined : at
}

const isoPattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(Z|[+-]\d\d:\d\d)?$/
