import type { JsonValue } from '@sluice/core'
import { type Converter, convert, normalise } from '../../kit/index.ts'

/** How a field is written. */
interface PersonField {
  /** Converts a value to Meta's format; undefined for values that cannot be valid. */
  readonly format: Converter
  /** Returns whether a value is in Meta's format. Default: any text is. */
  readonly isFormatted?: (value: JsonValue) => boolean
  readonly isHashed: boolean
}

const isMatch =
  (pattern: RegExp) =>
  (value: JsonValue): boolean =>
    pattern.test(convert.text(value))

const ifMatch =
  (pattern: RegExp, converter: Converter): Converter =>
  (value) => {
    const converted = converter(value)
    return typeof converted === 'string' && pattern.test(converted) ? converted : undefined
  }

const twoDigits: Converter = (value) => convert.trim(value).padStart(2, '0')
const withoutSpaces: Converter = (value) => normalise.compact(value).replace(/[-.]/g, '')

const hashed = (format: Converter, pattern?: RegExp): PersonField => ({
  format: pattern ? ifMatch(pattern, format) : format,
  isFormatted: pattern ? isMatch(pattern) : undefined,
  isHashed: true,
})

/** The fields of a person, by Meta's names. Source: Meta docs, custom audiences, hashing and normalization. */
export const personFields: ReadonlyMap<string, PersonField> = new Map([
  ['EMAIL', hashed(normalise.lowered, /^[^\s@]+@[^\s@]+$/)],
  ['PHONE', hashed((value) => normalise.digits(value).replace(/^0+/, ''), /^[1-9]\d*$/)],
  ['GEN', hashed((value) => normalise.genderLetter(value))],
  ['DOBY', hashed(convert.trim, /^\d{4}$/)],
  ['DOBM', hashed(twoDigits)],
  ['DOBD', hashed(twoDigits)],
  ['LN', hashed(normalise.lettersAndDigits)],
  ['FN', hashed(normalise.lettersAndDigits)],
  ['FI', hashed(normalise.lowered)],
  ['CT', hashed(normalise.letters)],
  ['ST', hashed(normalise.letters)],
  ['ZIP', hashed(withoutSpaces)],
  ['COUNTRY', hashed(normalise.lowered, /^[a-z]{2}$/)],
  ['MADID', { format: normalise.lowered, isHashed: false }],
  ['EXTERN_ID', { format: convert.trim, isHashed: false }],
  ['LOOKALIKE_VALUE', { format: (value) => value, isHashed: false }],
])
