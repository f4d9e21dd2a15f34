import { trim } from '../convert/text.ts'
import type { Converter } from '../rules/rule.ts'
import {
  compact,
  dayDigits,
  digits,
  e164,
  genderLetter,
  gmailWithoutDots,
  letters,
  lettersAndDigits,
  lowered,
  nameLetters,
  phoneDigits,
  plusAndDigits,
  stateLetters,
  withoutPunctuation,
  zipLetters,
} from './normalise.ts'

/** Fields that platforms match people by. */
export type PersonalField =
  | 'email'
  | 'phone'
  | 'externalId'
  | 'gender'
  | 'birthday'
  | 'firstName'
  | 'lastName'
  | 'city'
  | 'state'
  | 'zip'
  | 'country'

type Platform = Readonly<Record<PersonalField, Converter>> & { readonly street?: Converter }

/**
 * How each platform wants a field to be written before it is hashed: `.as(personalData.meta.email, convert.sha256)`.
 *
 * Sources: Meta docs, Conversions API, customer information parameters; TikTok docs, Events API 2.0,
 * parameters; Pinterest docs, API for conversions, user data; Snap docs, Conversions API,
 * parameters; Reddit docs, Conversions API, user; LinkedIn docs,
 * Conversions API, user ids; Google Ads docs, customer match and enhanced
 * conversions, formatting; recorded behaviour of RudderStack.
 */
export const personalData = {
  meta: {
    email: lowered,
    phone: phoneDigits,
    externalId: trim,
    gender: (value) => genderLetter(value) ?? trim(value),
    birthday: dayDigits,
    firstName: nameLetters,
    lastName: nameLetters,
    city: lettersAndDigits,
    state: stateLetters,
    zip: zipLetters,
    country: lowered,
  },
  tiktok: {
    email: lowered,
    phone: (value) => e164(value) ?? trim(value),
    externalId: trim,
    gender: trim,
    birthday: trim,
    firstName: lowered,
    lastName: lowered,
    city: trim,
    state: trim,
    zip: withoutPunctuation,
    country: trim,
  },
  pinterest: {
    email: lowered,
    phone: digits,
    externalId: trim,
    gender: (value) => lowered(value).charAt(0),
    birthday: digits,
    firstName: lowered,
    lastName: lowered,
    city: letters,
    state: letters,
    zip: digits,
    country: letters,
  },
  snapchat: {
    email: lowered,
    phone: phoneDigits,
    externalId: trim,
    gender: lowered,
    birthday: trim,
    firstName: lowered,
    lastName: lowered,
    city: compact,
    state: compact,
    zip: lowered,
    country: lowered,
  },
  reddit: {
    email: lowered,
    phone: (value) => e164(value) ?? trim(value),
    externalId: trim,
    gender: trim,
    birthday: trim,
    firstName: trim,
    lastName: trim,
    city: trim,
    state: trim,
    zip: trim,
    country: trim,
  },
  linkedin: {
    email: lowered,
    phone: trim,
    externalId: trim,
    gender: trim,
    birthday: trim,
    firstName: trim,
    lastName: trim,
    city: trim,
    state: trim,
    zip: trim,
    country: trim,
  },
  google: {
    email: gmailWithoutDots,
    // E.164 where the number is one: without a trunk zero, such as that of +44 (0)20.
    phone: (value) => e164(value) ?? plusAndDigits(value),
    externalId: trim,
    gender: trim,
    birthday: trim,
    firstName: lowered,
    lastName: lowered,
    street: lowered,
    city: trim,
    state: trim,
    zip: trim,
    country: trim,
  },
} as const satisfies Record<string, Platform>
