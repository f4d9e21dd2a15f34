import type { JsonValue } from '@sluice/core'
import {
  configurationError,
  convert,
  type DeliveryRequest,
  encodeSegment,
  externalId,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  isSegment,
  json,
  type MappingError,
  mapping,
  type TypedEvent,
  to,
  traits,
} from '../../kit/index.ts'
import { devicesOf } from './devices.ts'
import type { OneSignalSettings } from './one-signal-settings.ts'
import { eventTags, groupTags, userTags } from './tags.ts'

const api = 'https://onesignal.com/api/v1'
const headers = {
  Accept: 'application/json',
  'Content-Type': 'application/json',
  'OneSignal-Usage': 'Rudderstack | Partner Integration', // the value that RudderStack sends
}

/** Fields of a device. Source: OneSignal docs, players API. */
export const deviceFields = mapping([
  to('device_os').from('context.os.version'),
  to('device_model').from('context.device.model'),
  to('language').from('context.locale'),
  to('laguage').from('context.locale'), // the name that RudderStack sends
  to('created_at').from(generic.createdAt).as(convert.seconds),
  to('last_active').from(generic.timestamp).as(convert.seconds),
  to('country').from(generic.country, traits('address.country')),
  to('timezone').from('context.timezone'),
  to('external_user_id').from(generic.userIdOnly).as(convert.id),
  to('app_id').setting('appId'),
])

const playerId = externalId('playerId')
const userIdOf = firstAt(generic.userIdOnly)
const groupIdOf = firstAt(generic.groupId)

type Requests = DeliveryRequest | readonly DeliveryRequest[] | MappingError

/**
 * Maps an event to the device model: devices are created or changed, and events tag all devices of a user.
 *
 * Source: RudderStack docs, OneSignal destination (device model); OneSignal docs, players API.
 */
export function deviceModel(event: TypedEvent, settings: OneSignalSettings): Requests {
  if (event.type === 'identify') return identified(event, settings)
  const userId = userIdOf(event)
  if (!userId || !isSegment(convert.text(userId))) return instrumentationError('the event needs a userId')
  const tags = tagsOf(event, settings)
  if (isMappingError(tags)) return tags
  return json({
    method: 'PUT',
    endpoint: `${api}/apps/${encodeSegment(settings.appId)}/users/${encodeSegment(convert.text(userId))}`,
    headers,
    body: { tags },
  })
}

function identified(event: TypedEvent, settings: OneSignalSettings): Requests {
  const mapped = deviceFields(event, settings)
  if (isMappingError(mapped)) return mapped
  const fields = { ...mapped, tags: userTags(event) }
  const known = playerId(event)
  if (known) {
    const player = convert.text(known)
    if (!isSegment(player)) return instrumentationError('the external id of type playerId cannot be part of an address')
    return json({ method: 'PUT', endpoint: `${api}/players/${encodeSegment(player)}`, headers, body: fields })
  }
  const devices = devicesOf(event, settings)
  if (isMappingError(devices)) return devices
  if (devices.length === 0) return configurationError('the user has no email, phone number or device to register')
  return devices.map(({ number, token }) =>
    json({
      method: 'POST',
      endpoint: `${api}/players`,
      headers,
      body: { ...fields, device_type: number, identifier: token },
    }),
  )
}

/** Returns the tags of a track or group event. */
export function tagsOf(
  event: TypedEvent,
  settings: OneSignalSettings,
): Readonly<Record<string, JsonValue | undefined>> | MappingError {
  if (event.type === 'group') {
    const groupId = groupIdOf(event)
    return groupId ? groupTags(groupId, event, settings) : instrumentationError('the event needs a groupId')
  }
  const { event: name } = event
  if (typeof name !== 'string' || name === '') return instrumentationError('the event needs a name')
  return eventTags(name, event, settings)
}
