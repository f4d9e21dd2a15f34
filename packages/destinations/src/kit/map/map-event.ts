import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition, MappingContext } from '../define/define-destination.ts'
import { messageTypeOf, type TypedEvent } from '../define/message-type.ts'
import { mapAtHome } from '../settings/map-at-home.ts'
import { resolveSettings } from '../settings/resolve-settings.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import { instrumentationError, isMappingError, type MappingError } from './mapping-error.ts'

/**
 * Returns the requests of a destination for one event, as a pure function. An empty list means that there is nothing to
 * send.
 *
 * @param settings complete settings, as returned by `parseSettings`.
 * @param stored the stored settings, when `settings` override them for one call: see `mapAtHome`.
 */
export function mapEvent(
  definition: DestinationDefinition,
  event: Event,
  settings: JsonObject,
  context: MappingContext,
  stored: JsonObject = settings,
): readonly DeliveryRequest[] | MappingError {
  if (typeof event['type'] !== 'string' || event['type'] === '') {
    return instrumentationError('message type missing or invalid')
  }
  const type = messageTypeOf(event)
  if (type === undefined || !definition.supports.includes(type)) {
    return instrumentationError(`message type ${event['type']} is not supported`)
  }
  const resolved = resolveSettings(event['type'] === type ? (event as TypedEvent) : { ...event, type }, settings)
  const map = (used: JsonObject): readonly DeliveryRequest[] | MappingError => {
    const mapped = definition.requests(resolved.event, used, context)
    return isMappingError(mapped) || Array.isArray(mapped) ? mapped : [mapped as DeliveryRequest]
  }
  if (resolved.settings === stored) return map(resolved.settings) // nearly always
  // The stored settings with their defaults in place of everything that events decide.
  const ofOperator = resolveSettings({ type }, stored).settings
  return mapAtHome(definition, { chosen: resolved.settings, stored: ofOperator }, map)
}
