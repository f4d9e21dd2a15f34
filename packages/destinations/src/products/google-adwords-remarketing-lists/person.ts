import type { JsonObject, JsonValue } from '@sluice/core'
import {
  type Converter,
  consistentlyHashed,
  defined,
  isMappingError,
  type MappingError,
  personalData,
} from '../../kit/index.ts'

const { google } = personalData

/** What a list may know of a person. Personal data is hashed. */
export interface Person {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly country?: JsonValue | undefined
  readonly postalCode?: JsonValue | undefined
  readonly userId?: JsonValue | undefined
  readonly mobileId?: JsonValue | undefined
}

/** Settings of a list; those of a connection win. */
export interface ListSettings {
  readonly isHashRequired: boolean
  readonly userSchema: readonly JsonValue[] | undefined
}

const validEmail: Converter = (value) => {
  const email = google.email(value)
  return typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined
}

const validPhone: Converter = (value) => (/\p{L}/u.test(String(value)) ? undefined : google.phone(value))

const hashedFields: readonly { readonly name: keyof Person; readonly normal: Converter }[] = [
  { name: 'email', normal: validEmail },
  { name: 'phone', normal: validPhone },
  { name: 'firstName', normal: google.firstName },
  { name: 'lastName', normal: google.lastName },
]

/** Returns a person with hashed data; an error if the data is hashed already, or not, against the settings. */
export function personOf(record: JsonObject, { isHashRequired, userSchema }: ListSettings): Person | MappingError {
  const hashed: Record<string, string | undefined> = {}
  for (const { name, normal } of hashedFields) {
    const value = consistentlyHashed(name, record[name], isHashRequired, normal)
    if (isMappingError(value)) return value
    hashed[name] = value
  }
  const has = (identifier: string): boolean => userSchema === undefined || userSchema.includes(identifier)
  const { email, phone, ...names } = hashed
  const { country, postalCode, thirdPartyUserId, mobileId } = record
  return defined({
    email: has('email') ? email : undefined,
    phone: has('phone') ? phone : undefined,
    ...(has('addressInfo') ? { ...names, country: country || undefined, postalCode: postalCode || undefined } : {}),
    userId: thirdPartyUserId || undefined,
    mobileId: mobileId || undefined,
  })
}
