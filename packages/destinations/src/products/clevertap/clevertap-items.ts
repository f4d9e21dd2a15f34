import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  defined,
  ecommerceEventOf,
  eventOptions,
  firstAt,
  generic,
  instrumentationError,
  isApplePlatform,
  isMappingError,
  type MappingError,
  mapping,
  type TypedEvent,
  to,
  valueAt,
} from '../../kit/index.ts'
import { clevertapData } from './clevertap-data.ts'
import type { ClevertapSettings } from './clevertap-settings.ts'

const trait = (name: string): readonly string[] => [`traits.${name}`, `context.traits.${name}`]

/** Predefined fields of a profile. Source: RudderStack docs, CleverTap destination (identify). */
export const profileFields = mapping([
  to('Email').from(generic.email),
  to('Name').compute(nameOf),
  to('Phone').from(generic.phone),
  to('Gender').from(generic.gender).as(genderOf),
  to('Employed').from(trait('employed')),
  to('DOB').from(generic.birthday),
  to('Education').from(trait('education')),
  to('Married').from(trait('married')),
  to('Customer Type').from(trait('customerType')),
  to('Photo').from(generic.avatar),
])

const knownTraits: ReadonlySet<string> = new Set([
  ...['email', 'name', 'phone', 'gender', 'employed', 'birthday', 'education', 'married', 'customerType', 'avatar'],
  ...['firstName', 'firstname', 'first_name', 'lastName', 'lastname', 'last_name'],
  ...['anonymousId', 'userId', 'id', 'ts', 'overrideFields'],
])

const userIdOf = firstAt(generic.userIdOnly)
const anyIdOf = firstAt(generic.userId)
const firstNameOf = firstAt(generic.firstName)
const lastNameOf = firstAt(generic.lastName)
const fullNameOf = firstAt(generic.name)
const traitsTime = firstAt(trait('ts'))
const optionsOf = eventOptions('CLEVERTAP')

type Items = readonly JsonObject[] | MappingError

/**
 * Returns the items of an upload for an event: a profile, maybe with the push token of a device, or an event.
 *
 * Source: CleverTap docs, Upload User Profiles, Upload Events, Upload Device Tokens.
 */
export function clevertapItems(event: TypedEvent, settings: ClevertapSettings): Items {
  if (event.type === 'alias') return merged(event)
  if (!settings.trackAnonymous && !userIdOf(event)) {
    return instrumentationError('the event needs a userId, because anonymous users are not tracked')
  }
  if (settings.enableObjectIdMapping && !anyIdOf(event)) {
    return instrumentationError('the event needs an anonymousId or a userId')
  }
  return event.type === 'identify' ? identified(event, settings) : happened(event, settings)
}

function merged({ userId, previousId }: TypedEvent): Items {
  if (!userId || !previousId) return instrumentationError('the event needs a userId and a previousId')
  return [{ type: 'profile', profileData: { identity: convert.text(userId) }, identity: convert.text(previousId) }]
}

function identified(event: TypedEvent, settings: ClevertapSettings): Items {
  const fields = profileFields(event, settings)
  if (isMappingError(fields)) return fields
  const { traits } = event
  const known = valueAt(event, ['context', 'traits'])
  // As in RudderStack, those of the context win.
  const all = { ...(isJsonObject(traits) && traits), ...(isJsonObject(known) && known) }
  const user = userOf(event, settings)
  const userId = userIdOf(event)
  const profile = {
    type: 'profile',
    profileData: {
      ...clevertapData(all, knownTraits),
      ...fields,
      ...overridesOf(all),
      ...(user.objectId !== undefined && userId && { identity: convert.text(userId) }),
    },
    ...timeOf(traitsTime(event)),
    ...user,
  }
  const token = user.objectId === undefined ? undefined : tokenOf(event, user)
  return token ? [profile, token] : [profile]
}

/** Returns fields of the profile that the sender sets as they are, in the trait `overrideFields`. */
function overridesOf({ overrideFields: own }: JsonObject): JsonObject {
  return isJsonObject(own) ? own : {}
}

/** Source: CleverTap docs, Upload Device Tokens. */
const tokenTypes: ReadonlySet<string> = new Set([
  'apns',
  'bps',
  'chrome',
  'fcm',
  'firefox',
  'hps',
  'safari',
  'wns',
  'xps',
])

/** Returns the push token of an Android or Apple device. */
function tokenOf(event: TypedEvent, user: JsonObject): JsonObject | undefined {
  const device = valueAt(event, ['context', 'device'])
  const { token: id, type } = isJsonObject(device) ? device : {}
  const isAndroid = typeof type === 'string' && type.toLowerCase() === 'android'
  if (!id || !(isAndroid || isApplePlatform(type))) return undefined
  const { deviceTokenType, chromeKeys: keys } = optionsOf(event)
  const isKnown = typeof deviceTokenType === 'string' && tokenTypes.has(deviceTokenType)
  const tokenType = isKnown ? deviceTokenType : isAndroid ? 'fcm' : 'apns'
  return { type: 'token', tokenData: defined({ id, type: tokenType, keys: keys || undefined }), ...user }
}

const noNames: ReadonlySet<string> = new Set(['ts'])
const orderNames: ReadonlySet<string> = new Set(['ts', 'checkout_id', 'revenue', 'products'])

function happened(event: TypedEvent, settings: ClevertapSettings): Items {
  const properties = isJsonObject(event['properties']) ? event['properties'] : {}
  const around = { ...timeOf(properties['ts']), type: 'event', ...userOf(event, settings) }
  if (event.type === 'track' && ecommerceEventOf(event['event']) === 'order completed') {
    const order = orderData(properties)
    return isMappingError(order) ? order : [{ evtName: 'Charged', evtData: order, ...around }]
  }
  const evtName = eventName(event)
  return isMappingError(evtName) ? evtName : [{ evtName, evtData: clevertapData(properties, noNames), ...around }]
}

function eventName({ type, event, name, properties }: TypedEvent): string | MappingError {
  if (type === 'track') {
    return typeof event === 'string' && event !== '' ? event : instrumentationError('the event needs a name')
  }
  const kind = type === 'page' ? 'Web Page Viewed' : 'Screen Viewed'
  const viewed = name || valueAt(properties, ['name'])
  return viewed ? `${kind}: ${convert.text(viewed)}` : kind
}

/** Returns an order under the names of CleverTap's own event for sales. */
function orderData(properties: JsonObject): JsonObject | MappingError {
  const { checkout_id, revenue, products } = properties
  if (products !== undefined && !(Array.isArray(products) && products.length > 0 && products.every(isJsonObject))) {
    return instrumentationError('properties.products must be a list of objects')
  }
  return defined({
    'Charged ID': checkout_id || undefined,
    Amount: revenue || revenue === 0 ? revenue : undefined,
    Items: products,
    ...clevertapData(properties, orderNames),
  })
}

/**
 * Returns the id of the user. With object ids, it is the one of the device (anonymousId) if there is one.
 */
function userOf(
  event: TypedEvent,
  { enableObjectIdMapping }: ClevertapSettings,
): { readonly objectId?: JsonValue; readonly identity?: JsonValue } {
  const { anonymousId } = event
  if (enableObjectIdMapping && anonymousId) return { objectId: anonymousId }
  const id = anyIdOf(event)
  const identity = typeof id === 'number' ? String(id) : id
  return identity === undefined ? {} : { identity }
}

function timeOf(value: JsonValue | undefined): { readonly ts?: number } {
  const at = value === undefined ? undefined : convert.instant(value)
  return at === undefined ? {} : { ts: Math.floor(at / 1000) }
}

function nameOf(event: JsonObject): JsonValue | undefined {
  const name = fullNameOf(event)
  if (name) return name
  const parts = [firstNameOf(event), lastNameOf(event)].filter(Boolean)
  return parts.length === 0 ? undefined : parts.map((part) => convert.text(part as JsonValue)).join(' ')
}

const genders = convert.oneOf({ m: 'M', male: 'M', f: 'F', female: 'F', o: 'O', other: 'O' })

function genderOf(value: JsonValue): JsonValue | undefined {
  return genders(convert.lower(value)) ?? value
}
