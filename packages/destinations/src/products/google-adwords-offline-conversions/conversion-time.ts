import { isJsonObject, type JsonObject } from '@sluice/core'
import { convert, firstAt, generic } from '../../kit/index.ts'

const googleTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d$/

const timeOf = firstAt(generic.timestamp)

/** Returns the time of a conversion in Google's format: `2024-01-31 18:05:00+00:00`. That of its properties counts. */
export function conversionTime(event: JsonObject): string | undefined {
  const { properties } = event
  const own = isJsonObject(properties) ? properties['conversionDateTime'] : undefined
  return typeof own === 'string' && googleTime.test(own) ? own : utcTime(event)
}

/** Returns the time of a conversion in Google's format and in UTC. */
export function utcTime(event: JsonObject): string | undefined {
  const { properties } = event
  const own = isJsonObject(properties) ? properties['conversionDateTime'] : undefined
  const iso = convert.isoDate(own || (timeOf(event) ?? null))
  return iso === undefined ? undefined : `${iso.slice(0, 19).replace('T', ' ')}+00:00`
}
