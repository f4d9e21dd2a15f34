import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  firstAt,
  flatten,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  type TypedEvent,
  to,
  valueAt,
  withoutMembers,
} from '../../kit/index.ts'
import type { KlaviyoProfile } from './klaviyo-profile.ts'
import { klaviyoRequest } from './klaviyo-request.ts'
import type { KlaviyoSettings } from './klaviyo-settings.ts'
import { oldEvent } from './old-event.ts'

const isPresent = (value: JsonValue | undefined) => value !== undefined && value !== null && value !== ''

const nameOf = firstAt(['event', 'name', 'properties.event', 'properties.name'], isPresent)
const oldNameOf = firstAt(['event', 'properties.event', 'properties.name'], isPresent)
const amountAt = firstAt(['properties.revenue', 'properties.total', 'properties.value'], isPresent)

const facts: ReadonlySet<string> = new Set(['revenue', 'total', 'value', 'currency'])

/** Members of an event besides its properties, profile and name. Source: Klaviyo docs, Create event. */
export const eventMapping = mapping([
  to('value_currency').from('properties.currency'),
  to('time').from(generic.timestamp),
])

/** Returns a track or screen event as an event of Klaviyo. */
export function eventRequest(
  event: TypedEvent,
  profile: KlaviyoProfile,
  settings: KlaviyoSettings,
): DeliveryRequest | MappingError {
  const isOld = settings.apiVersion === 'v1'
  const name = (isOld ? oldNameOf : nameOf)(event)
  if (typeof name !== 'string') return instrumentationError('the event needs a name, which must be text')
  const value = amountOf(event)
  if (isMappingError(value)) return value
  const properties = propertiesOf(event, settings)
  if (isOld) return klaviyoRequest(oldEvent({ event, name, value, properties, profile }, settings), settings)
  const mapped = eventMapping(event, settings)
  if (isMappingError(mapped)) return mapped
  const attributes = {
    ...(value !== undefined && { value }),
    ...mapped,
    properties: properties ?? {},
    profile: {
      data: { type: 'profile', attributes: { ...profile.attributes, meta: { patch_properties: profile.patch } } },
    },
    metric: { data: { type: 'metric', attributes: { name } } },
    ...(event['messageId'] !== undefined && { unique_id: event['messageId'] }),
  }
  return klaviyoRequest({ path: '/api/events', data: { type: 'event', attributes } }, settings)
}

function amountOf(event: JsonObject): number | undefined | MappingError {
  const value = amountAt(event)
  if (value === undefined) return undefined
  return convert.number(value) ?? instrumentationError('the value of the event is not a number')
}

function propertiesOf(event: JsonObject, { flattenProperties }: KlaviyoSettings): JsonObject | undefined {
  const properties = valueAt(event, ['properties'])
  if (!isJsonObject(properties)) return undefined
  const others = withoutMembers(properties, facts)
  return flattenProperties ? flatten(others) : others
}
