import type { JsonValue } from '@sluice/core'
import { parsePhoneNumberFromString } from '#inlined/libphonenumber-js'
import { text, trim } from '../convert/text.ts'
import { type Converter, isSettable } from '../rules/rule.ts'
import { usStateCode } from './us-states.ts'

/** Removes white space at both ends and makes letters lower case. */
export const lowered = (value: JsonValue): string => trim(value).toLowerCase()

/** Removes white space everywhere and makes letters lower case. */
export const compact = (value: JsonValue): string => text(value).replace(/\s+/g, '').toLowerCase()

/** Keeps letters of any alphabet, in lower case: `New York` becomes `newyork`. */
export const letters = (value: JsonValue): string =>
  text(value)
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '')

/** Keeps letters of any alphabet and digits, in lower case. */
export const lettersAndDigits = (value: JsonValue): string =>
  text(value)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Keeps letters and digits as they are: `US - 1234` becomes `US1234`. */
export const withoutPunctuation = (value: JsonValue): string => text(value).replace(/[^\p{L}\p{N}]/gu, '')

/** Keeps digits. */
export const digits = (value: JsonValue): string => text(value).replace(/\D/g, '')

/**
 * Keeps the digits of a phone number with its country code, without leading zeros: `+1 (650) 555-1212` and `001 650 555 1212` become
 * `16505551212`. A zero in brackets for calls within a country goes as well. undefined without digits.
 */
export function phoneDigits(value: JsonValue): string | undefined {
  const written = trim(value).replace(/^00/, '+')
  const known = written.startsWith('+') ? parsePhoneNumberFromString(written)?.number : undefined
  return digits(known ?? written).replace(/^0+/, '') || undefined
}

/** Keeps letters of any alphabet, digits and single blanks, in lower case: ` O'Brien ` becomes `obrien`. */
export const nameLetters = (value: JsonValue): string =>
  lowered(value)
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Writes a state as a two-letter code where it is one of the USA, otherwise in lower case without blanks and signs. */
export const stateLetters = (value: JsonValue): string => usStateCode(lettersAndDigits(value))

/** Writes a postal code in lower case without blanks, and only the first five digits of one of the USA: `94035-1234` becomes `94035`. */
export const zipLetters = (value: JsonValue): string => compact(value).replace(/^(\d{5})-\d{4}$/, '$1')

/** Writes a day as `YYYYMMDD`, where it begins with the year: `1990-02-03T00:00:00Z` becomes `19900203`. Others keep their digits. */
export function dayDigits(value: JsonValue): string {
  const [, year, month = '', day = ''] = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text(value)) ?? []
  return year === undefined ? digits(value) : `${year}${month.padStart(2, '0')}${day.padStart(2, '0')}`
}

/** Keeps digits after a plus sign: `(49) 155-50` becomes `+4915550`. undefined without digits. */
export function plusAndDigits(value: JsonValue): string | undefined {
  const kept = digits(value)
  return kept === '' ? undefined : `+${kept}`
}

/** Converts a gender to its first letter, in lower case; undefined for words other than female, male, f and m. */
export function genderLetter(value: JsonValue): string | undefined {
  const first = lowered(value).charAt(0)
  return first === 'f' || first === 'm' ? first : undefined
}

/** Converts an e-mail address to lower case; for Gmail, removes dots of the name and everything from a plus sign on. */
export function gmailWithoutDots(value: JsonValue): string {
  const address = compact(value)
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at === -1 || (domain !== 'gmail.com' && domain !== 'googlemail.com')) return address
  const name = address.slice(0, at).replaceAll('.', '')
  const plus = name.indexOf('+')
  return `${plus === -1 ? name : name.slice(0, plus)}@${domain}`
}

/** Converts a phone number with a country code to E.164: `+49 155 5010` becomes `+491555010`. undefined if it is not one. */
export function e164(value: JsonValue): string | undefined {
  const written = trim(value)
  return parsePhoneNumberFromString(written.startsWith('+') ? written : `+${written}`)?.number
}

/** Applies a conversion to a value, or to each element of a list that has a value. */
export function each(convert: Converter): Converter {
  return (value) => {
    if (!Array.isArray(value)) return convert(value)
    return value.filter(isSettable).flatMap((element) => convert(element) ?? [])
  }
}
