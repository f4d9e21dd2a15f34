import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type DeliveryRequest,
  instrumentationError,
  json,
  type MappingError,
  personEmail,
  query,
  setMember,
  specifiedName,
  type TypedEvent,
} from '../../kit/index.ts'
import { headersOf, hubspotCall } from './hubspot-call.ts'
import type { HubspotSettings } from './hubspot-settings.ts'

/** Returns a track event as a custom event of HubSpot. Source: HubSpot docs, Send custom event completions. */
export function hubspotEvent(event: TypedEvent, settings: HubspotSettings): DeliveryRequest | MappingError {
  const { event: name } = event
  if (typeof name !== 'string' || name === '') return instrumentationError('a track event needs a name')
  if (settings.apiVersion !== 'newApi') return oldEvent(event, name, settings)
  const wanted = specifiedName(name)
  const custom = settings.hubspotEvents.find(({ rsEventName = '' }) => specifiedName(rsEventName) === wanted)
  if (!custom?.hubspotEventName)
    return instrumentationError('the settings map this event to no custom event of HubSpot')
  const email = personEmail(event)
  if (!email) return instrumentationError('the event needs an email')
  const properties: Record<string, JsonValue | undefined> = {}
  const own = propertiesOf(event)
  for (const { from, to } of custom.eventProperties) {
    const value = from ? own[from] : undefined
    if (to && value !== undefined && value !== null && value !== '') setMember(properties, to, value)
  }
  const body = { email, eventName: custom.hubspotEventName.trim(), properties }
  return json({ ...hubspotCall('/events/v3/send', settings), params: {}, body })
}

/** Source: HubSpot docs, Enterprise events HTTP API. */
function oldEvent(event: TypedEvent, name: string, settings: HubspotSettings): DeliveryRequest {
  const email = personEmail(event)
  const { revenue, value } = propertiesOf(event)
  const amount = revenue ?? value
  return query({
    method: 'GET',
    endpoint: 'https://track.hubspot.com/v1/event',
    headers: headersOf(settings),
    params: {
      _a: settings.hubID,
      _n: name,
      ...(amount !== undefined && amount !== null && { _m: amount }),
      ...(email ? { email } : {}),
    },
    endpointPath: '/v1/event',
  })
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}
