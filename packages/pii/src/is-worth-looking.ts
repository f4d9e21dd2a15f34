import { beginsCode, mayReadOtherwise, otherwiseAt } from './plain-reading.ts'

const at = 1
const digit = 2
const dot = 4
const colon = 8
/** Characters allowed between the digits of a phone or card number. */
const between = 16
const hexDigit = 32

const classes = new Uint8Array(128)
for (const [characters, bits] of [
  ['@', at],
  ['0123456789', digit | hexDigit],
  ['.', dot],
  [':', colon],
  [' -()/+_,|*~', between],
  ['abcdefABCDEF', hexDigit],
] as const)
  for (const character of characters) classes[character.charCodeAt(0)] = bits

const classAt = (text: string, index: number): number => classes[text.charCodeAt(index)] ?? 0

/**
 * Returns whether a text may contain personal data: an @, seven digits in a row with only separators between them (a
 * phone number), three dots among digits, or two colons (an IP address). Identifiers and times in their usual forms
 * have none of these, and they are most of the texts with many digits.
 */
export function isWorthLooking(text: string): boolean {
  if (isUuid(text) || time.test(text)) return false
  // Not with `isEnough`: most texts come here, and an object of counts doubles the time.
  let digits = 0
  let dots = 0
  let colons = 0
  for (let i = 0; i < text.length; i += 1) {
    const bits = classAt(text, i)
    if ((bits & digit) !== 0) {
      digits += 1
      if (digits >= 7 || (dots >= 3 && digits >= 4)) return true
    } else if (bits === dot) dots += 1
    else if (bits === at) return true
    else if (bits !== between) {
      digits = 0
      dots = 0
      if (bits === colon) colons += 1
    }
  }
  return colons >= 2
}

/** Returns the same of what a text reads as, see `readPlainly`, without writing that out: most texts are not worth it. */
export function isWorthReading(text: string): boolean {
  if (!mayReadOtherwise(text)) return false
  const seen: Seen = { digits: 0, dots: 0, colons: 0 }
  for (let i = 0; i < text.length; ) {
    const other = otherwiseAt(text, i)
    // A character that stands for several is rare, and so is one that begins another one in what is read.
    if (other !== undefined && (other.form.length > 1 || beginsCode(other.form.charCodeAt(0)))) return true
    const bits = other === undefined ? classAt(text, i) : classAt(other.form, 0)
    if (other?.form !== '' && isEnough(seen, bits)) return true
    i = other?.end ?? i + 1
  }
  return seen.colons >= 2
}

interface Seen {
  digits: number
  dots: number
  colons: number
}

function isEnough(seen: Seen, bits: number): boolean {
  if ((bits & digit) !== 0) {
    seen.digits += 1
    return seen.digits >= 7 || (seen.dots >= 3 && seen.digits >= 4)
  }
  if (bits === dot) seen.dots += 1
  else if (bits === at) return true
  else if (bits !== between) {
    seen.digits = 0
    seen.dots = 0
    if (bits === colon) seen.colons += 1
  }
  return false
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/

function isUuid(text: string): boolean {
  if (text.length !== 36 || text.charCodeAt(8) !== 45 || text.charCodeAt(13) !== 45) return false
  for (let i = 0; i < 36; i += 1) {
    const isHyphen = i === 8 || i === 13 || i === 18 || i === 23
    if (isHyphen ? text.charCodeAt(i) !== 45 : (classAt(text, i) & hexDigit) === 0) return false
  }
  return true
}
