import type { JsonObject, JsonValue } from '@sluice/core'
import {
  convert,
  defined,
  eventOptions,
  flatten,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  normalise,
  objectOrEmpty,
  to,
  traits,
  valueAt,
  withoutMembers,
} from '../../kit/index.ts'
import type { KlaviyoSettings } from './klaviyo-settings.ts'

const names = [
  to('email').from(generic.email),
  to('first_name').from(generic.firstName),
  to('last_name').from(generic.lastName),
  to('phone_number').from(generic.phone).as(internationalPhone),
  to('title').from(generic.title),
  to('organization').from(traits('organization')),
]

const location = [
  to('location.city').from(traits('city', 'address.city')),
  to('location.region').from(traits('region', 'state', 'address.region', 'address.state')),
  to('location.country').from(traits('country', 'address.country')),
  to('location.zip').from(generic.zipcode),
  to('location.address1').from(generic.street),
]

/** Attributes of a profile. Source: Klaviyo docs, Create or update profile. */
export const profileMapping = mapping([
  to('external_id').from(generic.userIdOnly).as(convert.text),
  to('anonymous_id').from('anonymousId').as(convert.text),
  ...names,
  ...location,
  to('location.ip').from('context.ip', 'request_ip'),
  ...['latitude', 'longitude'].map((name) =>
    to(`location.${name}`).from(traits(name, `address.${name}`), `context.location.${name}`, `context.address.${name}`),
  ),
  to('location.timezone').from(traits('timezone')),
  to('_kx').from(traits('_kx')),
  to('image').from(traits('image')),
])

/** Attributes of a profile in the old revision. */
export const oldProfileMapping = mapping([
  to('external_id').from(generic.userIdOnly).as(convert.text),
  ...names,
  ...location,
  to('location.ip').from('context.ip'),
  to('image').from(traits('image')),
])

const standard = [
  ...['email', 'phone', 'firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name', 'title'],
  ...['organization', 'city', 'region', 'state', 'country', 'zip', 'zipcode', 'zip_code', 'zipCode', 'postalcode'],
  ...['postal_code', 'postalCode', 'image', 'timezone', 'address', 'anonymousId', 'userId', 'properties'],
]
const standardTraits: ReadonlySet<string> = new Set([...standard, 'street', '_kx'])
const oldStandardTraits: ReadonlySet<string> = new Set([...standard, 'street', 'id'])

/** A profile as Klaviyo takes it, and changes of single properties. */
export interface KlaviyoProfile {
  readonly attributes: JsonObject
  readonly patch: JsonObject
}

/** Returns the profile of the person of an event. */
export function profileOf(event: JsonObject, settings: KlaviyoSettings): KlaviyoProfile | MappingError {
  const isOld = settings.apiVersion === 'v1'
  const mapped = (isOld ? oldProfileMapping : profileMapping)(event, settings)
  if (isMappingError(mapped)) return mapped
  const { external_id: userId, ...others } = mapped
  if (!isOld && others['phone_number'] !== undefined && !isE164(others['phone_number'])) {
    return instrumentationError('the phone number is not in the format E.164, such as +12125550142')
  }
  const enforces = settings.enforceEmailAsPrimary
  if (isOld && enforces && others['email'] === undefined && others['phone_number'] === undefined) {
    return instrumentationError('the event has neither an email nor a phone number')
  }
  const patch = patchOf(event)
  const moved = new Set(Object.keys({ ...objectOrEmpty(patch['append']), ...objectOrEmpty(patch['unappend']) }))
  const custom = customTraits(event, isOld ? oldStandardTraits : standardTraits, moved, settings)
  const properties = enforces && userId !== undefined ? { ...custom, _id: userId } : custom
  const isEmpty = Object.keys(properties).length === 0
  return {
    attributes: defined({
      ...(enforces || userId === undefined ? others : { external_id: userId, ...others }),
      properties: isOld && isEmpty ? undefined : properties,
    }),
    patch,
  }
}

/** Returns traits that are no attributes of Klaviyo: those of the event win over those of its context. */
function customTraits(
  event: JsonObject,
  known: ReadonlySet<string>,
  moved: ReadonlySet<string>,
  { flattenProperties }: KlaviyoSettings,
): JsonObject {
  const custom = withoutMembers(withoutMembers(traitsOf(event), known), moved)
  return flattenProperties ? flatten(custom) : custom
}

function traitsOf(event: JsonObject): JsonObject {
  return { ...objectOrEmpty(valueAt(event, ['context', 'traits'])), ...objectOrEmpty(event['traits']) }
}

const optionsOf = eventOptions('KLAVIYO')

/** Returns which properties are removed, and to which lists traits are added or removed from. */
function patchOf(event: JsonObject): JsonObject {
  const { fieldsToUnset, fieldsToAppend, fieldsToUnappend } = optionsOf(event)
  return defined({
    unset: Array.isArray(fieldsToUnset) ? fieldsToUnset : undefined,
    append: Array.isArray(fieldsToAppend) ? traitsNamed(fieldsToAppend, event) : undefined,
    unappend: Array.isArray(fieldsToUnappend) ? traitsNamed(fieldsToUnappend, event) : undefined,
  })
}

function traitsNamed(wanted: readonly JsonValue[], event: JsonObject): JsonObject {
  const all = traitsOf(event)
  return withoutMembers(all, new Set(Object.keys(all).filter((name) => !wanted.includes(name))))
}

/** Writes a phone number with a plus sign as Klaviyo wants it: `+1 (650) 555-1212` becomes `+16505551212`. Others stay as they are. */
function internationalPhone(phone: JsonValue): JsonValue {
  const written = convert.text(phone).replace(/[\s().-]/g, '')
  return written.startsWith('+') ? (normalise.e164(phone) ?? written) : phone
}

/** Source: ITU-T E.164: a plus sign and at most 15 digits. */
function isE164(phone: JsonValue): boolean {
  return typeof phone === 'string' && /^\+[1-9]\d{1,14}$/.test(phone)
}
