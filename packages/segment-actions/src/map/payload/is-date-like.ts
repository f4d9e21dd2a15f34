import dayjs from 'dayjs'

/** Returns whether a text is a time as fields of type `datetime` accept it: a date, or seconds or milliseconds. */
export function isDateLike(text: string): boolean {
  // What dayjs does with such texts, without its objects: most times of events end this way.
  if (text.endsWith('Z')) return !Number.isNaN(Date.parse(text))
  // Segment takes milliseconds for seconds. They are valid all the same, up to the year 275760.
  if (String(Number(text)) === text) return dayjs.unix(Number(text)).isValid()
  return dayjs(text).isValid()
}
