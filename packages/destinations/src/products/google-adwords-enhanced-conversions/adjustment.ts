import type { JsonObject, JsonValue } from '@sluice/core'
import {
  consistentlyHashed,
  convert,
  defined,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  personalData,
  to,
  valueAt,
} from '../../kit/index.ts'

const { google } = personalData

/**
 * Returns what an event does to a conversion: it adds the person, or it changes or takes back the value. Source: Google Ads docs,
 * ConversionAdjustmentType.
 */
export function adjustmentType(event: JsonObject): 'ENHANCEMENT' | 'RESTATEMENT' | 'RETRACTION' {
  const given = valueAt(event, ['properties', 'adjustmentType'])
  const type = typeof given === 'string' ? given.trim().toUpperCase() : ''
  return type === 'RESTATEMENT' || type === 'RETRACTION' ? type : 'ENHANCEMENT'
}

/** The conversion that is enhanced. Source: Google Ads docs, ConversionAdjustment. */
export const adjustment = mapping([
  to('gclidDateTimePair.gclid').from('properties.gclid'),
  to('gclidDateTimePair.conversionDateTime').from('properties.conversionDateTime'),
  to('restatementValue.adjustedValue').from('properties.adjustedValue').as(convert.number),
  to('restatementValue.currencyCode').from('properties.currencyCode', 'properties.currency'),
  to('orderId').from('properties.orderId', 'properties.order_id').as(convert.text),
  to('adjustmentDateTime').from('properties.adjustmentDateTime'),
  to('userAgent')
    .from('context.userAgent')
    .when((event) => adjustmentType(event) === 'ENHANCEMENT'),
  to('adjustmentType').compute(adjustmentType),
])

const place = (name: string) =>
  ['traits', 'context.traits', 'traits.address', 'context.traits.address'].map((path) => `${path}.${name}`)

const emailOf = firstAt(generic.email)
const phoneOf = firstAt(generic.phone)

const address = mapping([
  to('state').from(place('state')),
  to('city').from(place('city')),
  to('countryCode').from(generic.countryCode, place('country')),
  to('postalCode').from(place('postalCode')),
])

const hashedAddress = [
  { name: 'hashedFirstName', readFrom: firstAt(generic.firstName), normal: google.firstName },
  { name: 'hashedLastName', readFrom: firstAt(generic.lastName), normal: google.lastName },
  {
    name: 'hashedStreetAddress',
    readFrom: firstAt(['traits.streetAddress', 'context.traits.streetAddress']),
    normal: google.street,
  },
]

/** Returns what Google knows the user by: at least one identifier. Source: Google Ads docs, UserIdentifier. */
export function userIdentifiers(event: JsonObject, isHashing: boolean): readonly JsonObject[] | MappingError {
  const hashedEmail = consistentlyHashed('hashedEmail', emailOf(event), isHashing, google.email)
  if (isMappingError(hashedEmail)) return hashedEmail
  const hashedPhoneNumber = consistentlyHashed('hashedPhoneNumber', phoneOf(event), isHashing, google.phone)
  if (isMappingError(hashedPhoneNumber)) return hashedPhoneNumber
  const addressInfo: Record<string, JsonValue | undefined> = { ...(address(event, {}) as JsonObject) }
  for (const { name, readFrom, normal } of hashedAddress) {
    const hashed = consistentlyHashed(name, readFrom(event), isHashing, normal)
    if (isMappingError(hashed)) return hashed
    addressInfo[name] = hashed
  }
  const known = defined(addressInfo)
  const identifiers = [
    ...(hashedEmail === undefined ? [] : [{ hashedEmail }]),
    ...(hashedPhoneNumber === undefined ? [] : [{ hashedPhoneNumber }]),
    ...(Object.keys(known).length === 0 ? [] : [{ addressInfo: known }]),
  ]
  return identifiers.length > 0
    ? identifiers
    : instrumentationError('the user needs an e-mail address, a phone number or an address')
}
