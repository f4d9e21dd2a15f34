import type { JsonObject } from '@sluice/core'
import { type Converter, convert, firstAt, generic, mapping, normalise, to } from '../../kit/index.ts'

const emailOf = firstAt(generic.email)
const phoneOf = firstAt(generic.phone)

const hashIf =
  (normal: Converter): Converter =>
  (value) =>
    convert.sha256(normal(value) ?? '')

/** Returns the user by the identifier of the settings, or by the other one; undefined if the event has neither. */
export function contactOf(event: JsonObject, settings: JsonObject): JsonObject | undefined {
  const email = emailOf(event)
  const phone = phoneOf(event)
  const isByPhone = phone !== undefined && (settings['defaultUserIdentifier'] === 'phone' || email === undefined)
  const value = isByPhone ? phone : email
  if (value === undefined) return undefined
  const sent = isHashing(event, settings) ? convert.sha256(normalise.lowered(value)) : value
  return isByPhone ? { hashedPhoneNumber: sent } : { hashedEmail: sent }
}

const isHashing = (_: JsonObject, settings: JsonObject): boolean => settings['hashUserIdentifier'] !== false
const isNotHashing = (_: JsonObject, settings: JsonObject): boolean => !isHashing(_, settings)

const street = ['traits.streetAddress', 'context.traits.streetAddress', ...generic.street]

const place = (name: string) =>
  ['traits', 'context.traits', 'traits.address', 'context.traits.address'].map((path) => `${path}.${name}`)

const hashedField = (field: string, paths: readonly string[]) => [
  to(field).from(paths).as(hashIf(normalise.lowered)).when(isHashing),
  to(field).from(paths).when(isNotHashing),
]

/** The address of a user, for store conversions. Source: Google Ads docs, OfflineUserAddressInfo. */
export const addressInfo = mapping([
  to('state').from(place('state')),
  to('city').from(place('city')),
  to('country_code').from(generic.countryCode),
  to('postal_code').from(place('postalCode')),
  ...hashedField('hashed_first_name', generic.firstName),
  ...hashedField('hashed_last_name', generic.lastName),
  ...hashedField('hashed_street_address', street),
])
