import type { JsonValue } from '@sluice/core'

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the offset of a time zone from UTC in seconds, positive to the east; undefined when the zone is unknown.
 *
 * @param zone name in the IANA database, such as `Europe/Berlin`.
 * @param at time in milliseconds since 1970, because offsets change with the seasons.
 */
export function timeZoneOffset(zone: JsonValue | undefined, at: number): number | undefined {
  const format = typeof zone === 'string' ? formatOf(zone) : undefined
  if (!format || Math.abs(at) > 8.64e15) return undefined
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const parts = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(name)
  if (!parts) return undefined
  const [, sign = '+', hours = '0', minutes = '0'] = parts
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  return sign === '-' ? -seconds : seconds
}

/** Creating a format takes longer than a mapping, so those of known zones are kept; there are about 600. */
function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone)
  if (known) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    if (formats.size >= formatsMax) formats.clear()
    formats.set(zone, format)
    return format
  } catch {
    return undefined // a RangeError: the name is not a zone
  }
}

const formatsMax = 600 // formats; names in other cases count separately
