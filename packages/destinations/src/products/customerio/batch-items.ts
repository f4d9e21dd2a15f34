import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  convert,
  defined,
  firstAt,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  type TypedEvent,
} from '../../kit/index.ts'
import { attributeSource, attributesOf, timeOf } from './customerio-attributes.ts'
import type { CustomerioSettings } from './customerio-settings.ts'
import { type DeviceChange, deviceAttributes, deviceChangeOf, deviceFacts } from './device.ts'
import { eventNameOf } from './event-name.ts'
import { anyPerson, identifiersOf, isIdentifier, knownPerson } from './person.ts'
import { recorded } from './record.ts'

/**
 * Returns an event as an item of a batch for version 2 of the Track API.
 *
 * @param connection the connection of a row of a warehouse, which says what its rows are.
 *
 * Source: Customer.io docs, Track API v2; recorded behaviour of RudderStack's customerio destination.
 */
export function batchItem(
  event: TypedEvent,
  settings: CustomerioSettings,
  connection: JsonObject | undefined,
): JsonObject | MappingError {
  switch (event.type) {
    case 'identify':
      return identified(event, settings)
    case 'alias':
      return merged(event)
    case 'group':
      return grouped(event)
    case 'record':
      return recorded(event, connection)
    default:
      return happened(event, settings)
  }
}

function identified(event: TypedEvent, settings: CustomerioSettings): JsonObject | MappingError {
  const person = knownPerson(event)
  if (person === undefined) return instrumentationError('the event has neither userId nor email')
  const attributes = attributesOf.v2(attributeSource(event), settings)
  if (isMappingError(attributes)) return attributes
  return { type: 'person', action: 'identify', identifiers: identifiersOf(person), ...unlessEmpty(attributes) }
}

function merged({ userId, previousId }: TypedEvent): JsonObject | MappingError {
  if (!userId || !previousId) return instrumentationError('an alias event needs a userId and a previousId')
  const [primary, secondary] = [identifiersOf(userId), identifiersOf(previousId)]
  return { type: 'person', action: 'merge', primary, secondary }
}

const objectTypeDefault = '1' // id of the first object type in a workspace

const groupIdOf = firstAt(generic.groupId, isIdentifier)

/** Maps a group event to a Customer.io object that is related to the user. */
function grouped(event: TypedEvent): JsonObject | MappingError {
  const id = groupIdOf(event)
  if (id === undefined) return instrumentationError('a group event needs a groupId')
  const traits = isJsonObject(event['traits']) ? event['traits'] : {}
  const { action, objectTypeId, ...attributes } = traits
  const person = knownPerson(event)
  return {
    type: 'object',
    action: action || 'identify',
    identifiers: { object_id: convert.text(id), object_type_id: convert.text(objectTypeId || objectTypeDefault) },
    attributes,
    cio_relationships: person === undefined ? [] : [{ identifiers: identifiersOf(convert.text(person)) }],
  }
}

const actions: Readonly<Record<string, string>> = { track: 'event', page: 'page', screen: 'screen' }

function happened(event: TypedEvent, settings: CustomerioSettings): JsonObject | MappingError {
  const identifiers = anyPerson(event)
  if (!identifiers) return instrumentationError('the event has neither userId, email nor anonymousId')
  const change = deviceChangeOf(event, settings)
  if (change) return isMappingError(change) ? change : deviceItem(event, change)
  const name = eventNameOf(event)
  if (isMappingError(name)) return name
  const { properties } = event
  const timestamp = timeOf(event)
  return defined({
    type: 'person',
    action: actions[event.type],
    identifiers,
    name,
    ...unlessEmpty(isJsonObject(properties) ? properties : {}),
    timestamp,
  })
}

function deviceItem(event: TypedEvent, { kind, person, token }: DeviceChange): JsonObject {
  const about = { type: 'person', identifiers: identifiersOf(person) }
  if (kind === 'deleted') return { ...about, action: 'delete_device', device: { token } }
  const device = { token, ...deviceFacts(event), ...unlessEmpty(deviceAttributes(event)) }
  return { ...about, action: 'add_device', device }
}

function unlessEmpty(attributes: JsonObject): { readonly attributes?: JsonObject } {
  return Object.keys(attributes).length === 0 ? {} : { attributes }
}
