import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import {
  convert,
  defineDestination,
  everyType,
  instrumentationError,
  isMappingError,
  type MappingError,
  type TypedEvent,
} from '../../kit/index.ts'
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
import { arrivalProperties, asOperations, identifiedUserProperties, knownUserProperties } from './user-properties.ts'

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
    'Only events with the property revenue are sales; the products of others stay in their event.',
    'Advertising ids are left out when the device says that its user limits tracking.',
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
      return groupEvents(event, base, settings)
    case 'page':
    case 'screen':
      return viewEvents(event.type, event, base, settings)
    default:
      return trackEvents(event, base, settings)
  }
}

function groupEvents(event: TypedEvent, base: JsonObject, settings: Settings): readonly JsonObject[] | MappingError {
  const group = groupOf(event, settings)
  if (!group) return instrumentationError(groupMissing)
  const groups = { [group.group_type]: group.group_value }
  const user_properties = asOperations({ ...arrivalProperties(event), ...groups }, settings)
  return [{ ...base, event_type: '$identify', user_properties, groups }]
}

const groupMissing =
  'The event needs the traits named by groupTypeTrait and groupValueTrait, or a groupId if the settings name none'

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
  const name = event['event']
  if (typeof name !== 'string' || name.trim() === '') return instrumentationError(nameMissing)
  const { properties, revenue, products } = saleOf(propertiesOf(event), settings)
  const groups = eventGroups(event)
  const shared = { ...base, ...(groups && { groups }), user_properties: knownUserProperties(event) }
  return [
    { ...shared, ...revenue, event_type: name, ...(event['properties'] ? { event_properties: properties } : {}) },
    ...products.map((product, index) => ({
      ...shared,
      ...product.revenue,
      event_type: productEventName,
      event_properties: product.properties,
      ...(base['insert_id'] !== undefined && { insert_id: `${convert.text(base['insert_id'])}-${index + 1}` }),
    })),
  ]
}

function propertiesOf({ properties }: TypedEvent): JsonObject {
  return isJsonObject(properties) ? properties : {}
}
