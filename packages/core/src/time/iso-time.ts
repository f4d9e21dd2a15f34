const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

/**
 * Returns the time of a text in ISO 8601, in milliseconds since 1970, or undefined when the text is no such time. Without a
 * zone it is UTC, whatever the zone of the process is. Days must exist, and the year in UTC is 1 to 9999: databases and
 * products take no others.
 */
export function isoTimeOf(text: string): number | undefined {
  // Most texts end here.
  if (text.length < 10 || text.length > 45 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined
  const found = shape.exec(text)
  if (found === null) return undefined
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '', zone = ''] = found
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second), Number(fraction.slice(0, 3).padEnd(3, '0')))
  return isShownYear(date) ? date.getTime() : undefined
}

/** Whether a time has a year from 1 to 9999 in UTC, so that ISO 8601 shows it with four digits. @param at milliseconds since 1970. */
export function isShownTime(at: number): boolean {
  return isShownYear(new Date(at))
}

function isShownYear(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9_999
}

/** Undefined for a zone that there is not. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === '' || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
