/** Regions whose English names the abbreviations of their zones: `BST` is British, `IST` Indian. */
const regions = ['en-US', 'en-GB', 'en-IN', 'en-AU', 'en-NZ', 'en-ZA']

const formatsMax = 500 // zones; there are about 420
const formats = new Map<string, readonly Intl.DateTimeFormat[]>()

/** Returns the abbreviation of a time zone at a time, such as `BST`, or its offset, such as `-03`; '' if unknown. */
export function zoneAbbreviation(zone: string, at: number | undefined): string {
  if (zone === '' || at === undefined || Math.abs(at) > 8.64e15) return ''
  let offset = ''
  for (const format of formatsOf(zone)) {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    if (!/^(?:GMT|UTC)[+-]/.test(name)) return name
    offset = name
  }
  const [, sign, hours, minutes = ''] = /([+-])(\d+)(?::(\d+))?/.exec(offset) ?? []
  return sign === undefined || hours === undefined ? '' : `${sign}${hours.padStart(2, '0')}${minutes}`
}

function formatsOf(zone: string): readonly Intl.DateTimeFormat[] {
  let known = formats.get(zone)
  if (!known) {
    try {
      known = regions.map((region) => new Intl.DateTimeFormat(region, { timeZone: zone, timeZoneName: 'short' }))
    } catch {
      known = [] // not a zone
    }
    if (formats.size >= formatsMax) formats.clear()
    formats.set(zone, known)
  }
  return known
}
