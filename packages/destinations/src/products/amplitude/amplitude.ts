import { isJsonObject, type JsonObject } from '@sluice/core'
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
import { type AmplitudeGroup, eventGroups, groupOf } from './amplitude-group.ts'
import { readReply } from './amplitude-reply.ts'
import { eventRequest, groupRequest, userMapping } from './amplitude-requests.ts'
import { type AmplitudeSettings, amplitudeSettings } from './amplitude-settings.ts'
import { eventMapping } from './event-mapping.ts'
import { viewEventName, viewName } from './event-name.ts'
import { salesOf } from './sale.ts'
import { arrivalProperties, asOperations, identifiedUserProperties, knownUserProperties } from './user-properties.ts'

/**
 * Sends events, user properties and groups to Amplitude.
 *
 * Source: recorded behaviour of RudderStack's am destination; Amplitude docs, HTTP V2, Identify, Group Identify and
 * User Mapping APIs.
 */
export const amplitude = defineDestination({
  type: 'AM',
  displayName: 'Amplitude',
  otherNames: [],
  supports: everyType,
  settings: amplitudeSettings,
  secrets: ['apiSecret'],
  mappings: { event: eventMapping },
  requests(event, settings) {
    if (event.type === 'alias') return userMapping(event, settings)
    const shared = eventMapping(event, settings)
    if (isMappingError(shared)) return shared
    if (shared['user_id'] === undefined && shared['device_id'] === undefined) {
      return instrumentationError('Either of user ID or device ID fields must be specified')
    }
    const group = event.type === 'group' ? groupOf(event, settings) : undefined
    const events = eventsOf(event, group, settings)
    if (isMappingError(events)) return events
    const requests = events.map((each, index) =>
      eventRequest({ ...shared, ...each, ...insertId(shared, index) }, event, settings),
    )
    return group ? [...requests, groupRequest(group, event, settings)] : requests
  },
  limits: [
    'Only events with the property revenue are sales; the products of others stay in their event.',
    'Traits that are a text are ignored; RudderStack sends the text as many fields.',
    'When Amplitude throttles some users, only their events wait.',
    'Advertising ids are left out when the device says that its user limits tracking.',
    `A batch has at most ${eventsMax} events and ${bytesMax} bytes.`,
    `Events whose user or device id has fewer than ${idLengthMin} characters, groups and aliases are sent alone.`,
  ],
  batch: amplitudeBatch,
  respond: readReply,
  deletion: amplitudeDeletion,
  examples: amplitudeExamples,
})

/** Returns what distinguishes the events of a message from each other and from other messages. */
function eventsOf(
  event: TypedEvent,
  group: AmplitudeGroup | undefined,
  settings: AmplitudeSettings,
): readonly JsonObject[] | MappingError {
  const ofOption = eventGroups(event)
  const groups = ofOption && { groups: ofOption }
  switch (event.type) {
    case 'identify':
      return [{ event_type: '$identify', ...groups, user_properties: identifiedUserProperties(event, settings) }]
    case 'group': {
      if (!group) return groupMissing
      const own = { [group.group_type]: group.group_value }
      const user_properties = asOperations({ ...arrivalProperties(event), ...own }, settings)
      return [{ event_type: '$identify', user_properties, groups: own }]
    }
    case 'page':
    case 'screen': {
      const event_type = viewEventName(event.type, event, settings)
      if (event_type.trim() === '') return nameMissing
      const name = viewName(event)
      const own = isJsonObject(event['properties']) ? event['properties'] : {}
      const event_properties = { ...own, ...(name !== undefined && { name }) }
      return [{ event_type, ...groups, event_properties, user_properties: knownUserProperties(event, settings) }]
    }
    default: {
      const { event: name } = event
      if (typeof name !== 'string' || name.trim() === '') return nameMissing
      const user = { ...groups, user_properties: knownUserProperties(event, settings) }
      return salesOf(name, event, settings).map((each) => ({ ...user, ...each }))
    }
  }
}

const groupMissing = instrumentationError(
  'The event needs the traits named by groupTypeTrait and groupValueTrait, or a groupId if the settings name none',
)

const nameMissing = instrumentationError(
  'Event type is missing. Please send it under `event.type`. For page/screen events, send it under `event.name`',
)

/** Amplitude drops events whose id it has seen, so further events of a message get ids of their own. */
function insertId({ insert_id: id }: JsonObject, index: number): JsonObject {
  return id === undefined || index === 0 ? {} : { insert_id: `${convert.text(id)}-${index}` }
}
