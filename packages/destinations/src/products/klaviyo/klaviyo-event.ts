import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  convert,
  type DeliveryRequest,
  firstAt,
  flatten,
  generic,
  instrumentationError,
  isMappingError,
  isPresent,
  type MappingError,
  mapping,
  type TypedEvent,
  to,
  withoutMembers,
} from '../../kit/index.ts'
import type { KlaviyoProfile } from './klaviyo-profile.ts'
import { klaviyoRequest } from './klaviyo-request.ts'
import type { KlaviyoSettings } from './klaviyo-settings.ts'
import { oldEvent } from './old-event.ts'

const nameOf = firstAt(['event', 'name', 'properties.event', 'properties.name'], isPresent)
const oldNameOf = firstAt(['event', 'properties.event', 'properties.name'], isPresent)

const facts: ReadonlySet<string> = new Set(['revenue', 'total', 'value', 'currency'])
const amountPaths = ['properties.revenue', 'properties.total', 'properties.value']
const amountAt = firstAt(amountPaths, isPresent)

/** Members of an event besides its properties, profile and name. Source: Klaviyo docs, Create event. */
export const eventMapping = mapping([
  to('value')
    .from(amountPaths)
    .as(convert.number)
    .required()
    .when((event) => amountAt(event) !== undefined),
  to('value_currency').from('properties.currency'),
  to('time').from(generic.timestamp),
  to('unique_id').from('messageId'),
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
  const mapped = eventMapping(event, settings)
  if (isMappingError(mapped)) return mapped
  const properties = propertiesOf(event, settings)
  if (isOld) {
    const { value } = mapped
    return klaviyoRequest(oldEvent({ event, name, value, properties, profile }, settings), settings)
  }
  const meta = { patch_properties: profile.patch }
  const attributes = {
    ...mapped,
    properties: properties ?? {},
    profile: { data: { type: 'profile', attributes: { ...profile.attributes, meta } } },
    metric: { data: { type: 'metric', attributes: { name } } },
  }
  return klaviyoRequest({ path: '/api/events', data: { type: 'event', attributes } }, settings)
}

function propertiesOf({ properties }: JsonObject, { flattenProperties }: KlaviyoSettings): JsonObject | undefined {
  if (!isJsonObject(properties)) return undefined
  const others = withoutMembers(properties, facts)
  return flattenProperties ? flatten(others) : others
}
