import type { JsonObject } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  defined,
  form,
  json,
  type RequestParts,
  type TypedEvent,
} from '../../kit/index.ts'
import type { AmplitudeGroup } from './amplitude-group.ts'
import { readAmplitudeOption } from './amplitude-option.ts'
import type { AmplitudeSettings } from './amplitude-settings.ts'
import { arrivalProperties } from './user-properties.ts'

const readUnmap = readAmplitudeOption('unmap')
const readEventId = readAmplitudeOption('event_id')

/**
 * Returns a request that maps one user to another, or that undoes this when the event has the Amplitude option `unmap`.
 */
export function userMapping(event: TypedEvent, settings: AmplitudeSettings): DeliveryRequest {
  const unmap = readUnmap(event)
  const users = unmap ? { user_id: unmap } : { global_user_id: event['userId'], user_id: event['previousId'] }
  const others = { event_id: readEventId(event), user_properties: arrivalProperties(event) }
  const mapped = defined({ ...users, ...others, unmap: unmap ? true : undefined })
  const body = { api_key: settings.apiKey, mapping: [JSON.stringify(mapped)] }
  return form({ ...partsOf('usermap', event, settings), body })
}

/** Returns a request that sets the properties of a group. */
export function groupRequest(group: AmplitudeGroup, event: TypedEvent, settings: AmplitudeSettings): DeliveryRequest {
  const body = { api_key: settings.apiKey, identification: [JSON.stringify(group)] }
  return form({ ...partsOf('groupidentify', event, settings), body })
}

/** Returns a request with one event to the API for single events. */
export function eventRequest(body: JsonObject, event: TypedEvent, settings: AmplitudeSettings): DeliveryRequest {
  return json({
    ...partsOf('2/httpapi', event, settings),
    headers: { 'Content-Type': 'application/json' },
    body: { api_key: settings.apiKey, events: [body], options: { min_id_length: 1 } },
  })
}

function partsOf(path: string, { anonymousId }: TypedEvent, { residencyServer }: AmplitudeSettings): RequestParts {
  const host = residencyServer === 'EU' ? 'https://api.eu.amplitude.com' : 'https://api2.amplitude.com'
  return { method: 'POST', endpoint: `${host}/${path}`, userId: convert.text(anonymousId ?? ''), endpointPath: path }
}
