/**
 * PostgreSQL stores no NUL in texts, but ids and names of events may contain it. NUL is written as two characters that
 * begin with U+0001, and U+0001 itself as two others, so that every text can be read back and the order by code points
 * stays the same.
 */
const mark = '\u0001'
const zero = '\u0000'
const escapedZero = `${mark}\u0001`
const escapedMark = `${mark}\u0002`

/** Returns a text as it is stored. */
export function toStoredText(text: string): string {
  if (!text.includes(mark) && !text.includes(zero)) return text
  return text.replaceAll(mark, escapedMark).replaceAll(zero, escapedZero)
}

/** Returns a text as it was before `toStoredText`. */
export function fromStoredText(stored: string): string {
  if (!stored.includes(mark)) return stored
  return stored.replaceAll(escapedZero, zero).replaceAll(escapedMark, mark)
}
