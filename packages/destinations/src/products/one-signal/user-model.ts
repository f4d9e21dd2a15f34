import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  defined,
  encodeSegment,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  mapping,
  objectsIn,
  type TypedEvent,
  to,
  traits,
  valueAt,
} from '../../kit/index.ts'
import { tagsOf } from './device-model.ts'
import { type Device, devicesOf, oneSignalOptions } from './devices.ts'
import type { OneSignalSettings } from './one-signal-settings.ts'
import { userTags } from './tags.ts'

/** Properties of a user. Source: OneSignal docs, create user. */
export const userFields = mapping([
  to('language').from('context.locale'),
  to('laguage').from('context.locale'), // the name that RudderStack sends
  to('created_at').from(generic.createdAt).as(convert.seconds),
  to('last_active').from(generic.timestamp).as(convert.seconds),
  to('country').from(generic.country, traits('address.country')),
  to('first_active').from(traits('firstActive', 'first_active')),
  to('ip').from('context.ip'),
  to('lat').from('context.location.latitude'),
  to('long').from('context.location.longitude'),
  to('timezone_id').from('context.timezone'),
])

/** What is known of the device of a subscription. */
const deviceAbout = mapping([
  to('device_model').from('context.device.model'),
  to('device_os').from('context.os.version'),
])

const userIdOf = firstAt(generic.userIdOnly)
const descriptionsOf = firstAt(
  generic.traits.map((path) => `${path}.subscriptions`),
  isJsonObject,
)

/**
 * Maps an event to the user model: a user with properties, tags and subscriptions.
 *
 * Source: RudderStack docs, OneSignal destination (user model); OneSignal docs, create user.
 */
export function userModel(event: TypedEvent, settings: OneSignalSettings): DeliveryRequest | MappingError {
  const identity = identityOf(event)
  if (isMappingError(identity)) return identity
  const content = event.type === 'identify' ? identified(event, settings) : happened(event, settings)
  if (isMappingError(content)) return content
  return json({
    method: 'POST',
    endpoint: `https://api.onesignal.com/apps/${encodeSegment(settings.appId)}/users`,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: { ...content, identity },
  })
}

function identityOf(event: TypedEvent): JsonObject | MappingError {
  const { aliases } = oneSignalOptions(event)
  const userId = userIdOf(event)
  const identity = { ...(isJsonObject(aliases) && aliases), ...(userId && { external_id: userId }) }
  return Object.keys(identity).length > 0 ? identity : instrumentationError('the event needs a userId or another alias')
}

function identified(event: TypedEvent, settings: OneSignalSettings): JsonObject | MappingError {
  const fields = userFields(event, settings)
  if (isMappingError(fields)) return fields
  const devices = devicesOf(event, settings)
  if (isMappingError(devices)) return devices
  const descriptions = descriptionsOf(event) ?? {}
  const subscriptions = devices.map((device) =>
    subscription(device, descriptions, deviceAbout(event, settings) as JsonObject),
  )
  return defined({
    properties: { ...fields, tags: userTags(event) },
    subscriptions: subscriptions.length > 0 ? subscriptions : undefined,
  })
}

/** Returns a subscription, with what the trait `subscriptions` says of it. */
function subscription({ type, token, key }: Device, descriptions: JsonObject, about: JsonObject): JsonObject {
  const described = Object.hasOwn(descriptions, key) ? descriptions[key] : undefined
  return { ...about, ...(isJsonObject(described) && described), type, token }
}

function happened(event: TypedEvent, settings: OneSignalSettings): JsonObject | MappingError {
  const tags = tagsOf(event, settings)
  if (isMappingError(tags)) return tags
  return { properties: event.type === 'track' ? { purchases: purchasesOf(event), tags } : { tags } }
}

function purchasesOf(event: TypedEvent): JsonValue {
  const products = valueAt(event, ['properties', 'products'])
  return objectsIn(products).map(({ sku, iso, quantity, amount }) =>
    defined({
      sku,
      iso,
      count: quantity,
      amount,
    }),
  )
}
