import type { JsonObject, JsonValue } from '@sluice/core'
import {
  convert,
  eventOptions,
  firstAt,
  generic,
  instrumentationError,
  isApplePlatform,
  type MappingError,
  userAgent,
  valueAt,
} from '../../kit/index.ts'
import type { OneSignalSettings } from './one-signal-settings.ts'

/** A device or subscription that messages can be sent to. */
export interface Device {
  /** Number in the device model. */
  readonly number: number
  /** Name in the user model. */
  readonly type: string
  readonly token: JsonValue
  /** Name under which `traits.subscriptions` describes it. */
  readonly key: string
}

/** Names in the user model by number. Source: OneSignal docs, device types, subscription types. */
const types: ReadonlyMap<number, string> = new Map([
  [0, 'iOSPush'],
  [1, 'AndroidPush'],
  [2, 'FireOSPush'],
  [3, 'WindowsPhonePush'],
  [4, 'ChromeExtension'],
  [5, 'ChromePush'],
  [6, 'WindowsPush'],
  [7, 'SafariPush'],
  [8, 'FirefoxPush'],
  [9, 'macOSPush'],
  [10, 'AlexaPush'],
  [11, 'Email'],
  [13, 'HuaweiPush'],
  [14, 'SMS'],
])

const emailOf = firstAt(generic.email)
const phoneOf = firstAt(generic.phone)
/** Returns the options that an event has for OneSignal. */
export const oneSignalOptions = eventOptions('ONE_SIGNAL')

/**
 * Returns the devices of a user: the one in the options of the event, or else email, phone number, and the browser or
 * phone that the event comes from.
 */
export function devicesOf(event: JsonObject, settings: OneSignalSettings): readonly Device[] | MappingError {
  const { deviceType, identifier } = oneSignalOptions(event)
  if (deviceType && identifier) {
    const number = convert.number(deviceType)
    return number !== undefined && types.has(number)
      ? [device(number, identifier)]
      : instrumentationError('the option deviceType must be a device type of OneSignal')
  }
  const email = settings.emailDeviceType ? emailOf(event) : undefined
  const phone = settings.smsDeviceType ? phoneOf(event) : undefined
  const own = ownDevice(event)
  return [
    ...(email ? [device(11, email, 'email')] : []),
    ...(phone ? [device(14, phone, 'phone')] : []),
    ...(own ? [own] : []),
  ]
}

/** Browsers and their device types; the others use the push service of Chrome. */
const browsers: Readonly<Record<string, number>> = { Firefox: 8, Safari: 7, Chrome: 5, Edge: 5, Opera: 5 }

function ownDevice(event: JsonObject): Device | undefined {
  if (event['channel'] === 'web') {
    const { browserName = '' } = userAgent(valueAt(event, ['context', 'userAgent']))
    const number = browsers[browserName]
    const token = event['anonymousId']
    return number !== undefined && token ? device(number, token) : undefined
  }
  if (event['channel'] !== 'mobile') return undefined
  const type = valueAt(event, ['context', 'device', 'type'])
  const token = valueAt(event, ['context', 'device', 'token'])
  if (!token || typeof type !== 'string') return undefined
  if (isApplePlatform(type)) return device(0, token)
  return type.toLowerCase() === 'android' ? device(1, token) : undefined
}

function device(number: number, token: JsonValue, key?: string): Device {
  const type = types.get(number) ?? ''
  return { number, type, token, key: key ?? type }
}
