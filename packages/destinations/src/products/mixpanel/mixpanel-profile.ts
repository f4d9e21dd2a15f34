import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Condition, convert, firstAt, isApplePlatform, mapping, type Rule, to, valueAt } from '../../kit/index.ts'
import { deviceRules } from './device-rules.ts'
import { browserRules } from './mixpanel-browser.ts'

const firstName = ['traits.firstName', 'traits.firstname', 'traits.first_name']
const lastName = ['traits.lastName', 'traits.lastname', 'traits.last_name']
const usesNewMapping: Condition = (_, { useNewMapping }) => useNewMapping === true
const usesOldMapping: Condition = (_, { useNewMapping }) => useNewMapping !== true

/** Traits with reserved names in Mixpanel. Source: Mixpanel docs, reserved profile properties. */
const knownTraits = (named: Condition): readonly Rule[] => [
  to('$created').from('traits.createdAt'),
  to('$email').from('traits.email'),
  to('$first_name').from(firstName).when(named),
  to('$last_name').from(lastName).when(named),
  to('$name').from('traits.name').when(hasName),
  to('$username').from('traits.username', 'traits.userName'),
  to('$phone').from('traits.phone'),
  to('$avatar').from('traits.avatar'),
  to('$country_code').from('traits.country', 'traits.address.country'),
  to('$city').from('traits.city', 'traits.address.city'),
  to('$region').from('traits.region', 'traits.state', 'traits.address.region', 'traits.address.state'),
  to('$unsubscribed').from('traits.unsubscribed'),
]

/** Device tokens under Mixpanel's names, for devices that can receive messages. */
const devices: readonly Rule[] = [
  to('$android_devices').compute(deviceTokens).when(isAndroid),
  to('$ios_devices').compute(deviceTokens).when(isApple),
  to('$os')
    .from('context.os.name')
    .when((source) => isAndroid(source) || isApple(source)),
  to('$android_model').from('context.device.model').when(isAndroid),
  to('$android_os_version').from('context.os.version').when(isAndroid),
  to('$android_manufacturer').from('context.device.manufacturer').when(isAndroid),
  to('$android_app_version').from('context.app.version').when(isAndroid),
  to('$android_app_version_code').from('context.app.build').when(isAndroid),
  to('$android_brand').from('context.device.manufacturer').when(isAndroid),
  to('$ios_device_model').from('context.device.model').when(isApple),
  to('$ios_version').from('context.os.version').when(isApple),
  to('$ios_app_release').from('context.app.version').when(isApple),
  to('$ios_app_version').from('context.app.build').when(isApple),
]

/** Maps the properties to set on the profile of a user. Applied to the result of `profileSource`. */
export const profileProperties = mapping([
  ...knownTraits(usesNewMapping),
  to('$geo_source').from('context.location.geoSource'),
  to('$latitude').from('context.location.latitude'),
  to('$longitude').from('context.location.longitude'),
  to('$carrier').from('context.network.carrier'),
  ...deviceRules.hardware,
  ...deviceRules.screen,
  to('$wifi').from('context.network.wifi'),
  ...deviceRules.firstPage,
  to('$name')
    .compute(fullName)
    .when((source) => !hasName(source)),
  to().rest('traits').unmapped(),
  to('$firstName').from(firstName).when(usesOldMapping),
  to('$lastName').from(lastName).when(usesOldMapping),
  ...devices,
  ...browserRules,
])

/** Maps the properties to set once on the profile of a user. Reads only `traits`. */
export const onceProperties = mapping([...knownTraits(() => true), to().rest('traits').unmapped()])

/** Returns the event with merged traits: its own before those of its context. */
export function profileSource(event: JsonObject): JsonObject & { readonly traits: JsonObject } {
  const { traits } = event
  const context = valueAt(event, ['context', 'traits'])
  const own = isJsonObject(traits) ? traits : {}
  const known = isJsonObject(context) ? context : {}
  return { ...event, traits: { ...own, ...known, ...own } } // its own come first in the order of keys too
}

function hasName({ traits }: JsonObject): boolean {
  return Boolean(valueAt(traits, ['name']))
}

const firstNameOf = firstAt(firstName)
const lastNameOf = firstAt(lastName)

function fullName(source: JsonObject): string | undefined {
  const [first, last] = [firstNameOf(source), lastNameOf(source)]
  return first && last ? `${convert.text(first)} ${convert.text(last)}` : undefined
}

function deviceTokens(source: JsonObject): JsonValue {
  return [valueAt(source, ['context', 'device', 'token']) ?? null]
}

function isAndroid(source: JsonObject): boolean {
  return deviceType(source) === 'android'
}

function isApple(source: JsonObject): boolean {
  return isApplePlatform(deviceType(source))
}

/** Returns the device type; '' for a device without a token, which cannot receive messages. */
function deviceType(source: JsonObject): string {
  const type = valueAt(source, ['context', 'device', 'type'])
  return typeof type === 'string' && valueAt(source, ['context', 'device', 'token']) ? type.toLowerCase() : ''
}
