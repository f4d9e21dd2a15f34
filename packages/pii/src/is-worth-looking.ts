import { beginsCode, mayReadOtherwise, otherwiseAt } from './plain-reading.ts'

const at = 1
const digit = 2
const dot = 4
const colon = 8
/** Characters allowed between the digits of a phone or card number. */
const between = 16
const hexDigit = 32

/** It may begin a character that is written otherwise, such as %40, or is one that is not ASCII. */
const otherwise = 64

const classes = new Uint8Array(128)
for (const [characters, bits] of [
  ['@', at],
  ['0123456789', digit | hexDigit],
  ['.', dot],
  [':', colon],
  [' -()/+_,|*~', between],
  ['abcdefABCDEF', hexDigit],
  ['%&=\\', otherwise],
] as const)
  for (const character of characters) classes[character.charCodeAt(0)] = bits

const classOf = (unit: number): number => (unit < 128 ? (classes[unit] ?? 0) : otherwise)

/**
 * Returns whether a text may contain personal data, as it is written or as it reads (see `isWorthReading`): an @, seven
 * digits in a row with only separators between them (a phone number), three dots among digits, or two colons (an IP
 * address). Identifiers and times in their usual forms have none of these, and they are most of the texts with many digits.
 */
export function isWorthLooking(text: string): boolean {
  return !isUuid(text) && !isTime(text) && hasEnough(text, false)
}

/** Returns the same of what a text reads as, see `readPlainly`, without writing that out: most texts are not worth it. */
export function isWorthReading(text: string): boolean {
  return mayReadOtherwise(text) && hasEnough(text, true)
}

/**
 * Returns whether a text has enough for personal data, from `start` and with what was counted before it.
 * @param readsOnly whether characters count only as what they read as, not as they are written, too.
 */
function hasEnough(text: string, readsOnly: boolean, start = 0, counted: Counts = none): boolean {
  let { digits, dots, colons } = counted
  let hasRead = false
  for (let i = start; i < text.length; ) {
    let bits = classOf(text.charCodeAt(i))
    let next = i + 1
    if (bits === otherwise && readsOnly) {
      const other = otherwiseAt(text, i)
      if (other !== undefined) {
        // A character that stands for several is rare, and so is one that begins another one in what is read.
        if (other.form.length > 1 || beginsCode(other.form.charCodeAt(0))) return true
        bits = other.form === '' ? between : classOf(other.form.charCodeAt(0))
        next = other.end
      }
    } else if (bits === otherwise && !hasRead) {
      // Up to here the text reads as it is written.
      hasRead = true
      if (hasEnough(text, true, i, { digits, dots, colons })) return true
    }
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
    i = next
  }
  return colons >= 2
}

/** What was seen since the last character that separates: digits and dots; and colons of the whole text. */
interface Counts {
  readonly digits: number
  readonly dots: number
  readonly colons: number
}

const none: Counts = { digits: 0, dots: 0, colons: 0 }

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/

const isTime = (text: string): boolean => text.charCodeAt(4) === 45 && text.charCodeAt(10) === 84 && time.test(text)

function isUuid(text: string): boolean {
  if (text.length !== 36 || !hyphensOfUuid.every((index) => text.charCodeAt(index) === 45)) return false
  let digits = 0
  for (let i = 0; i < 36; i += 1) if ((classOf(text.charCodeAt(i)) & hexDigit) !== 0) digits += 1
  return digits === 32
}

const hyphensOfUuid = [8, 13, 18, 23]
