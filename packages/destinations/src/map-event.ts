import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition, MappingContext } from './define-destination.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import { instrumentationError, isMappingError, type MappingError } from './mapping-error.ts'
import { messageTypeOf, type TypedEvent } from './message-type.ts'
import { resolveSettings } from './resolve-settings.ts'

/**
 * What a destination sends for one event: everything between an event and its requests, as a pure function. An empty list
 * means that there is nothing to send.
 *
 * @param settings complete: as `parseSettings` gives them.
 */
export function mapEvent(
  definition: DestinationDefinition,
  event: Event,
  settings: JsonObject,
  context: MappingContext,
): readonly DeliveryRequest[] | MappingError {
  if (typeof event['type'] !== 'string' || event['type'] === '') {
    return instrumentationError('message type missing or invalid')
  }
  const type = messageTypeOf(event)
  if (type === undefined || !definition.supports.includes(type)) {
    return instrumentationError(`message type ${event['type']} is not supported`)
  }
  const resolved = resolveSettings(event['type'] === type ? (event as TypedEvent) : { ...event, type }, settings)
  const mapped = definition.requests(resolved.event, resolved.settings, context)
  return isMappingError(mapped) || Array.isArray(mapped) ? mapped : [mapped as DeliveryRequest]
}
