import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import { text } from '../../kit/convert/text.ts'
import { defineDestination } from '../../kit/define/define-destination.ts'
import { everyType, type TypedEvent } from '../../kit/define/message-type.ts'
import { instrumentationError, isMappingError, type MappingError } from '../../kit/map/mapping-error.ts'
import { amplitudeBatch, bytesMax, eventsMax, idLengthMin } from './amplitude-batch.ts'
import { amplitudeDeletion } from './amplitude-deletion.ts'
import { amplitudeExamples } from './amplitude-examples.ts'
import { eventGroups, groupOf } from './amplitude-group.ts'
import { readReply } from './amplitude-reply.ts'
import { eventRequest, groupRequest, userMapping } from './amplitude-requests.ts'
import { amplitudeSettings } from './amplitude-settings.ts'
import { eventMapping } from './event-mapping.ts'
import { viewEventName, viewName } from './event-name.ts'
import { productEventName, saleOf } from './sale.ts'
import { arrivalProperties, identifiedUserProperties, knownUserProperties } from './user-properties.ts'

type Settings = Static<typeof amplitudeSettings>

/**
 * Sends events, user properties and groups to Amplitude.
 *
 * Source: recorded behaviour of RudderStack's am destination; Amplitude docs, HTTP V2, Identify, Group Identify and
 * User Mapping APIs.
 */
export const amplitude = defineDestination({
  type: 'AM',
  displayName: 'Amplitude',
  supports: everyType,
  settings: amplitudeSettings,
  secrets: ['apiSecret'],
  mappings: { event: eventMapping },
  requests(event, settings) {
    if (event.type === 'alias') return userMapping(event, settings)
    const base = eventMapping(event, settings)
    if (isMappingError(base)) return base
    if (base['user_id'] === undefined && base['device_id'] === undefined) {
      return instrumentationError('Either of user ID or device ID fields must be specified')
    }
    const events = eventsOf(event, base, settings)
    if (isMappingError(events)) return events
    const requests = events.map((each) => eventRequest(each, event, settings))
    const group = event.type === 'group' ? groupOf(event, settings) : undefined
    return group ? [...requests, groupRequest(group, event, settings)] : requests
  },
  limits: [
    `A batch has at most ${eventsMax} events and ${bytesMax} bytes.`,
    `Events whose user or device id has fewer than ${idLengthMin} characters, groups and aliases are sent alone.`,
  ],
  batch: amplitudeBatch,
  respond: readReply,
  deletion: amplitudeDeletion,
  examples: amplitudeExamples,
})

function eventsOf(event: TypedEvent, base: JsonObject, settings: Settings): readonly JsonObject[] | MappingError {
  switch (event.type) {
    case 'identify': {
      const properties = identifiedUserProperties(event, settings)
      return [{ ...base, event_type: '$identify', user_properties: properties }]
    }
    case 'group':
      return [groupEvent(event, base, settings)]
    case 'page':
    case 'screen':
      return viewEvents(event.type, event, base, settings)
    default:
      return trackEvents(event, base, settings)
  }
}

function groupEvent(event: TypedEvent, base: JsonObject, settings: Settings): JsonObject {
  const group = groupOf(event, settings)
  const membership = group ? { [group.group_type]: group.group_value } : undefined
  return {
    ...base,
    event_type: '$identify',
    user_properties: { ...arrivalProperties(event), ...membership },
    ...(membership && { groups: membership }),
  }
}

const nameMissing =
  'Event type is missing. Please send it under `event.type`. For page/screen events, send it under `event.name`'

function viewEvents(
  type: 'page' | 'screen',
  event: TypedEvent,
  base: JsonObject,
  settings: Settings,
): readonly JsonObject[] | MappingError {
  const eventName = viewEventName(type, event, settings)
  if (eventName.trim() === '') return instrumentationError(nameMissing)
  const name = viewName(event)
  const properties = { ...propertiesOf(event), ...(name !== undefined && { name }) }
  const seen = { event_type: eventName, event_properties: properties, user_properties: knownUserProperties(event) }
  return [{ ...base, ...seen }]
}

function trackEvents(event: TypedEvent, base: JsonObject, settings: Settings): readonly JsonObject[] | MappingError {
  const name = text(event['event'] ?? '')
  if (name.trim() === '') return instrumentationError(nameMissing)
  const { properties, revenue, products } = saleOf(name, propertiesOf(event), settings)
  const groups = eventGroups(event)
  const shared = { ...base, ...(groups && { groups }), user_properties: knownUserProperties(event) }
  return [
    { ...shared, ...revenue, event_type: name, ...(event['properties'] ? { event_properties: properties } : {}) },
    ...products.map((product, index) => ({
      ...shared,
      ...product.revenue,
      event_type: productEventName,
      event_properties: product.properties,
      ...(base['insert_id'] !== undefined && { insert_id: `${base['insert_id']}-${index + 1}` }),
    })),
  ]
}

function propertiesOf({ properties }: TypedEvent): JsonObject {
  return isJsonObject(properties) ? properties : {}
}
