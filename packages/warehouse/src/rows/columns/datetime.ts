const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[ T|](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?\n?$/

/**
 * Returns a date as ISO text in UTC with milliseconds, or undefined when the text is none. Without a zone, the time is
 * UTC. Days beyond the end of a month continue in the next, as in RudderStack.
 */
export function datetimeOf(text: string): string | undefined {
  // Most texts end here.
  if (text.length < 10 || text.length > 60 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined
  const found = shape.exec(text)
  if (found === null) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', zone = ''] = found
  if (zone !== '' && found[4] === undefined) return undefined
  if (year === '0000' || !within(month, 1, 12) || !within(day, 1, 31)) return undefined
  if (!within(hour, 0, 23) || !within(minute, 0, 59) || !within(second, 0, 59)) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const milliseconds = fraction === '' ? 0 : Number(fraction.slice(1, 4).padEnd(3, '0'))
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second), milliseconds)
  return isoOf(date)
}

/** Undefined for a zone that there is not. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === '' || zone === 'Z') return 0
  const hours = zone.slice(1, 3)
  const minutes = zone.slice(-2)
  if (!within(hours, 0, 23) || !within(minutes, 0, 59)) return undefined
  return (zone[0] === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

function within(digits: string, least: number, most: number): boolean {
  const value = Number(digits)
  return value >= least && value <= most
}

/** An offset may lead out of the years that databases take as text. */
function isoOf(date: Date): string | undefined {
  const year = date.getUTCFullYear()
  return year < 1 || year > 9999 ? undefined : date.toISOString()
}
