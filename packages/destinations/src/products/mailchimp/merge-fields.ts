import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, generic, isMappingError, mapping, setMember, to, traits, traitsOf } from '../../kit/index.ts'

/** Merge fields of every audience. Source: Mailchimp docs, Merge fields. */
export const mergeFieldMapping = mapping([
  to('FNAME').from(generic.firstName),
  to('LNAME').from(generic.lastName),
  to('PHONE').from(generic.phone),
  to('BIRTHDAY').from(generic.birthday).as(monthAndDay),
  to('ADDRESS.addr1').from(traits('addressLine1', 'address.street')),
  to('ADDRESS.addr2').from(traits('addressLine2')),
  to('ADDRESS.city').from(traits('city', 'address.city')),
  to('ADDRESS.state').from(traits('state', 'address.state')),
  to('ADDRESS.zip').from(traits('zip', 'address.zip', 'address.postalCode')),
  to('ADDRESS.country').from(traits('country', 'address.country')),
])

/** Returns a date as month and day: `05/06`. */
function monthAndDay(value: JsonValue): string | undefined {
  const [, month, day] = convert.isoDate(value)?.slice(0, 10).split('-') ?? []
  return month === undefined ? undefined : `${month}/${day}`
}

const mapped = new Set([
  ...['email', 'firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name', 'birthday', 'dateOfBirth'],
  ...['dateofbirth', 'dob', 'DOB', 'address', 'addressLine1', 'addressLine2'],
])
const partsOfAddress = new Set(['city', 'state', 'zip', 'country'])
const nameLengthMax = 10 // characters of a merge tag

/**
 * Returns traits as merge fields. An address needs a first line, city, state and zip; without one of them, its parts are
 * fields like all others. Other fields are named by the first ten characters of their trait, in upper case.
 */
export function mergeFields(event: JsonObject, settings: JsonObject): JsonObject {
  const known = mergeFieldMapping(event, settings)
  if (isMappingError(known)) return {}
  const { ADDRESS: address, ...fields } = known
  const isComplete =
    isJsonObject(address) && ['addr1', 'city', 'state', 'zip'].every((part) => address[part] !== undefined)
  const merged: Record<string, JsonValue | undefined> = isComplete ? { ...fields, ADDRESS: address } : { ...fields }
  const source = traitsOf(event)
  for (const key of Object.keys(source)) {
    const value = source[key]
    const isOther = !mapped.has(key) && !(isComplete && partsOfAddress.has(key))
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isOther && isPlain && value !== '') setMember(merged, key.toUpperCase().slice(0, nameLengthMax), value)
  }
  return merged
}
