import type { JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import { convert, type DeliveryRequest, form, json, type TypedEvent } from '../../kit/index.ts'
import type { AmplitudeGroup } from './amplitude-group.ts'
import { readAmplitudeOption } from './amplitude-option.ts'
import type { amplitudeSettings } from './amplitude-settings.ts'
import { arrivalProperties } from './user-properties.ts'

type Settings = Static<typeof amplitudeSettings>

const readUnmap = readAmplitudeOption('unmap')
const readEventId = readAmplitudeOption('event_id')

/**
 * Returns a request that maps one user to another, or that undoes this when the event has the Amplitude option `unmap`.
 */
export function userMapping(event: TypedEvent, settings: Settings): DeliveryRequest {
  const unmap = readUnmap(event)
  const users = unmap ? { user_id: unmap } : { global_user_id: event['userId'], user_id: event['previousId'] }
  const mapped = {
    ...users,
    event_id: readEventId(event),
    user_properties: arrivalProperties(event),
    ...(unmap && { unmap: true }),
  }
  return listRequest('usermap', 'mapping', mapped, event, settings)
}

/** Returns a request that sets the properties of a group. */
export function groupRequest(group: AmplitudeGroup, event: TypedEvent, settings: Settings): DeliveryRequest {
  return listRequest('groupidentify', 'identification', { ...group }, event, settings)
}

/** Returns a request with one event to the API for single events. */
export function eventRequest(body: JsonObject, event: TypedEvent, settings: Settings): DeliveryRequest {
  const path = '2/httpapi'
  return json({
    method: 'POST',
    endpoint: `${hostOf(settings)}/${path}`,
    headers: { 'Content-Type': 'application/json' },
    body: { api_key: settings.apiKey, events: [body], options: { min_id_length: 1 } },
    userId: convert.text(event['anonymousId'] ?? ''),
    endpointPath: path,
  })
}

/** Returns a request to an older API: a form whose one field is a list of JSON strings. */
function listRequest(
  path: 'groupidentify' | 'usermap',
  field: string,
  element: JsonObject,
  event: TypedEvent,
  settings: Settings,
): DeliveryRequest {
  return form({
    method: 'POST',
    endpoint: `${hostOf(settings)}/${path}`,
    body: { api_key: settings.apiKey, [field]: [JSON.stringify(element)] },
    userId: convert.text(event['anonymousId'] ?? ''),
    endpointPath: path,
  })
}

function hostOf({ residencyServer }: Settings): string {
  return residencyServer === 'EU' ? 'https://api.eu.amplitude.com' : 'https://api2.amplitude.com'
}
