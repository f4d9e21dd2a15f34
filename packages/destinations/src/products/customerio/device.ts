import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  defined,
  instrumentationError,
  isApplePlatform,
  type MappingError,
  mapping,
  to,
  valueAt,
} from '../../kit/index.ts'
import { timeOf } from './customerio-attributes.ts'
import type { CustomerioSettings } from './customerio-settings.ts'
import { knownPerson } from './person.ts'

/** A device of a person to be added or deleted, from a track event. */
export interface DeviceChange {
  readonly kind: 'added' | 'deleted'
  readonly person: JsonValue
  readonly token: string
}

const addingEvents = ['Application Installed', 'Application Opened']
const deletingEvent = 'Application Uninstalled'

/**
 * Returns the device change of an app lifecycle event; undefined for an ordinary event. An event that would add a
 * device without a token, or for an anonymous user, is an ordinary event.
 */
export function deviceChangeOf(
  event: JsonObject,
  { deviceTokenEventName }: CustomerioSettings,
): DeviceChange | MappingError | undefined {
  const { type, event: name } = event
  if (type !== 'track' || typeof name !== 'string' || name === '') return undefined
  const isDeleted = name === deletingEvent
  if (!isDeleted && !addingEvents.includes(name) && name !== deviceTokenEventName) return undefined
  const person = knownPerson(event)
  const token = valueAt(event, ['context', 'device', 'token'])
  if (person !== undefined && typeof token === 'string' && token !== '') {
    return { kind: isDeleted ? 'deleted' : 'added', person, token }
  }
  return isDeleted ? instrumentationError('an uninstalled app needs a userId or email, and a device token') : undefined
}

/** Returns the platform and last use of the device. */
export function deviceFacts(event: JsonObject): JsonObject {
  const lastUsed = timeOf(event)
  const platform = platformOf(valueAt(event, ['context', 'device', 'type']))
  return defined({ last_used: lastUsed, platform })
}

const described = mapping([
  to('device_os').from('context.os.version'),
  to('device_model').from('context.device.model'),
  to('app_version').from('context.app.version'),
  to('device_locale').from('context.locale'),
])

/** Returns the attributes of the device for version 2. Properties of the event win. Source: Customer.io docs, Track API v2, devices. */
export function deviceAttributes(event: JsonObject): JsonObject {
  return { ...(described(event, {}) as JsonObject), ...deviceProperties(event) }
}

/** Returns the properties of the event as attributes of the device. */
export function deviceProperties({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}

function platformOf(type: JsonValue | undefined): string | undefined {
  if (typeof type !== 'string' || type === '') return undefined
  return isApplePlatform(type) ? 'ios' : type.toLowerCase()
}
