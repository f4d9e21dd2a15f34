import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type DeliveryRequest,
  defined,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
  mapping,
  objectOrEmpty,
  personEmail,
  query,
  setMember,
  specifiedName,
  type TypedEvent,
  to,
  traits,
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
  const about = eventFacts(event, settings)
  if (isMappingError(about)) return about
  const { properties: known, ...facts } = about
  const body = {
    email,
    eventName: custom.hubspotEventName.trim(),
    ...facts,
    properties: { ...objectOrEmpty(known), ...properties },
  }
  return json({ ...hubspotCall('/events/v3/send', settings), params: {}, body })
}

/** Members of a completion, and the properties that every event of HubSpot has. Source: HubSpot docs, Send custom event completions. */
const eventFacts = mapping([
  to('occurredAt').from('properties.occurred_at'),
  to('utk').from('properties.utk', traits('utk')),
  to('properties.hs_asset_description').from('properties.hsAssetDescription', 'properties.assetDescription'),
  to('properties.hs_asset_type').from('properties.hsAssetType', 'properties.assetType'),
  to('properties.hs_campaign_id').from('properties.campaignId'),
  to('properties.hs_element_class').from('properties.hsElementClass', 'properties.elementClass'),
  to('properties.hs_element_id').from('properties.hsElementId', 'properties.elementId'),
])

/** Source: HubSpot docs, Enterprise events HTTP API. */
function oldEvent(event: TypedEvent, name: string, settings: HubspotSettings): DeliveryRequest {
  const email = personEmail(event)
  const { revenue, value } = propertiesOf(event)
  const amount = revenue ?? value
  return query({
    method: 'GET',
    endpoint: 'https://track.hubspot.com/v1/event',
    headers: headersOf(settings),
    params: defined({
      _a: settings.hubID,
      _n: name,
      _m: amount !== undefined && amount !== null ? amount : undefined,
      email: email || undefined,
    }),
    endpointPath: '/v1/event',
  })
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {}
}
