import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Condition, convert, firstAt, isApplePlatform, mapping, type Rule, to, valueAt } from '../../kit/index.ts'
import { browserRules, contextRules, firstPageRules, hardwareRules, screenRules } from './context-rules.ts'

const firstName = ['traits.firstName', 'traits.firstname', 'traits.first_name']
const lastName = ['traits.lastName', 'traits.lastname', 'traits.last_name']
const hasName: Condition = ({ traits }) => Boolean(valueAt(traits, ['name']))
const isAndroid: Condition = (source) => deviceType(source) === 'android'
const isApple: Condition = (source) => isApplePlatform(deviceType(source))
const isPhone: Condition = (source, settings) => isAndroid(source, settings) || isApple(source, settings)
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
  to('$os').from('context.os.name').when(isPhone),
  ...contextRules({ $android_model: 'device.model', $android_os_version: 'os.version' }, isAndroid),
  ...contextRules({ $android_manufacturer: 'device.manufacturer', $android_app_version: 'app.version' }, isAndroid),
  ...contextRules({ $android_app_version_code: 'app.build', $android_brand: 'device.manufacturer' }, isAndroid),
  to('$android_lib_version').from('properties.androidLibVersion').when(isAndroid),
  to('$ios_lib_version').from('properties.iosLibVersion').when(isApple),
  ...contextRules({ $ios_device_model: 'device.model', $ios_version: 'os.version' }, isApple),
  ...contextRules({ $ios_app_release: 'app.version', $ios_app_version: 'app.build' }, isApple),
]

/** Maps the properties to set on the profile of a user. Applied to the result of `profileSource`. */
export const profileProperties = mapping([
  ...knownTraits(usesNewMapping),
  ...contextRules({ $geo_source: 'location.geoSource', $latitude: 'location.latitude' }),
  ...contextRules({ $longitude: 'location.longitude', $timezone: 'location.timezone', $carrier: 'network.carrier' }),
  ...hardwareRules,
  ...screenRules,
  ...contextRules({ $wifi: 'network.wifi' }),
  ...firstPageRules,
  to('$name').compute(fullName),
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
  const both = [event['traits'], valueAt(event, ['context', 'traits'])]
  const [own, known] = both.map((traits) => (isJsonObject(traits) ? traits : {}))
  return { ...event, traits: { ...own, ...known, ...own } } // its own come first in the order of keys too
}

const firstNameOf = firstAt(firstName)
const lastNameOf = firstAt(lastName)

/** Returns the first and last name of a user without the trait `name`. */
function fullName(source: JsonObject): string | undefined {
  const [first, last] = [firstNameOf(source), lastNameOf(source)]
  return first && last && !valueAt(source, ['traits', 'name'])
    ? `${convert.text(first)} ${convert.text(last)}`
    : undefined
}

function deviceTokens(source: JsonObject): JsonValue {
  return [valueAt(source, ['context', 'device', 'token']) ?? null]
}

/** Returns the device type; '' for a device without a token, which cannot receive messages. */
function deviceType(source: JsonObject): string {
  const type = valueAt(source, ['context', 'device', 'type'])
  return typeof type === 'string' && valueAt(source, ['context', 'device', 'token']) ? type.toLowerCase() : ''
}
