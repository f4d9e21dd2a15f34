import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type DeliveryRequest,
  defined,
  encodeSegment,
  instrumentationError,
  isMappingError,
  isSegment,
  type MappingError,
  type TypedEvent,
} from '../../kit/index.ts'
import { attributeSource, attributesOf, timeOf } from './customerio-attributes.ts'
import { type Address, customerioRequest } from './customerio-request.ts'
import type { CustomerioSettings } from './customerio-settings.ts'
import { type DeviceChange, deviceChangeOf, deviceFacts, deviceProperties } from './device.ts'
import { eventNameOf } from './event-name.ts'
import { identifiersOf, knownPerson } from './person.ts'

/**
 * Returns an event as a call of version 1 of the Track API.
 *
 * Source: Customer.io docs, Track API v1; recorded behaviour of RudderStack's customerio destination.
 */
export function singleCall(event: TypedEvent, settings: CustomerioSettings): DeliveryRequest | MappingError {
  const call = (address: Address, body?: JsonObject) => customerioRequest(event, settings, address, body)
  const person = knownPerson(event)
  if (person !== undefined && !isSegment(String(person)))
    return instrumentationError('the id of the person cannot be a path segment')
  if (event.type === 'identify') return identified(event, settings, call)
  if (event.type === 'alias') return merged(event, call)
  const change = deviceChangeOf(event, settings)
  if (change === undefined || isMappingError(change)) return change ?? happened(event, call)
  return deviceChanged(event, change, call)
}

type Call = (address: Address, body?: JsonObject) => DeliveryRequest

function identified(event: TypedEvent, settings: CustomerioSettings, call: Call): DeliveryRequest | MappingError {
  const person = knownPerson(event)
  if (person === undefined) return instrumentationError('the event has neither userId nor email')
  const attributes = attributesOf.v1(attributeSource(event), settings)
  if (isMappingError(attributes)) return attributes
  return call({ method: 'PUT', path: `v1/customers/${encodeSegment(person)}`, kind: 'v1/customers' }, attributes)
}

function merged({ userId, previousId }: TypedEvent, call: Call): DeliveryRequest | MappingError {
  if (!userId || !previousId) return instrumentationError('an alias event needs a userId and a previousId')
  const body = { primary: identifiersOf(userId), secondary: identifiersOf(previousId) }
  return call({ method: 'POST', path: 'v1/merge_customers', kind: 'v1/merge_customers' }, body)
}

function deviceChanged(
  event: TypedEvent,
  { kind, person, token }: DeviceChange,
  call: Call,
): DeliveryRequest | MappingError {
  if (![String(person), token].every(isSegment))
    return instrumentationError('userId or device token cannot be a path segment')
  const path = `v1/customers/${encodeSegment(person)}/devices`
  if (kind === 'deleted') {
    return call({ method: 'DELETE', path: `${path}/${encodeSegment(token)}`, kind: 'v1/customers/devices/delete' })
  }
  const device = { ...deviceProperties(event), id: token, ...deviceFacts(event) }
  return call({ method: 'PUT', path, kind: 'v1/customers/devices' }, { device })
}

function happened(event: TypedEvent, call: Call): DeliveryRequest | MappingError {
  const name = eventNameOf(event)
  if (isMappingError(name)) return name
  const { properties, anonymousId } = event
  const timestamp = timeOf(event)
  const body = defined({
    data: isJsonObject(properties) ? properties : undefined,
    name,
    type: event.type === 'page' ? 'page' : 'event',
    timestamp,
  })
  const person = knownPerson(event)
  if (person !== undefined) {
    const path = `v1/customers/${encodeSegment(person)}/events`
    return call({ method: 'POST', path, kind: 'v1/customers/events' }, body)
  }
  if (!anonymousId) return instrumentationError('the event has neither userId, email nor anonymousId')
  return call({ method: 'POST', path: 'v1/events', kind: 'v1/events' }, { ...body, anonymous_id: anonymousId })
}
