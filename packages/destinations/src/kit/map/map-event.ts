import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition, MappingContext } from '../define/define-destination.ts'
import { messageTypeOf, type TypedEvent } from '../define/message-type.ts'
import { mapWithGuardedSecrets } from '../settings/map-with-guarded-secrets.ts'
import { resolveSettings } from '../settings/resolve-settings.ts'
import { type Ask, isAsk } from './ask.ts'
import { instrumentationError, isMappingError, type MappingError } from './mapping-error.ts'
import { withOwnOptions } from './own-options.ts'
import type { DeliveryRequest } from './request/delivery-request.ts'
import { withRowTime } from './with-row-time.ts'

/**
 * Returns the requests of a destination for one event, as a pure function. An empty list means that there is nothing to
 * send; an `Ask`, that the mapping must be called again with its answer in `context.answers`.
 *
 * @param settings complete settings, as returned by `parseSettings`.
 * @param stored the stored settings, when `settings` override them for one call: see `mapWithGuardedSecrets`.
 */
export function mapEvent(
  definition: DestinationDefinition,
  event: Event,
  settings: JsonObject,
  context: MappingContext,
  stored: JsonObject = settings,
): readonly DeliveryRequest[] | MappingError | Ask {
  const typed = definition.takesAnyType ? (event as TypedEvent) : typedEvent(definition, event)
  if (isMappingError(typed)) return typed
  const own = definition.otherNames ? withOwnOptions(typed, definition) : typed
  const resolved = resolveSettings(withRowTime(own), settings)
  const map = (used: JsonObject): readonly DeliveryRequest[] | MappingError | Ask => {
    const mapped = definition.requests(resolved.event, used, context)
    return isMappingError(mapped) || isAsk(mapped) || Array.isArray(mapped) ? mapped : [mapped as DeliveryRequest]
  }
  if (resolved.settings === stored) return map(resolved.settings) // nearly always
  // The stored settings with their defaults in place of everything that events decide.
  const ofOperator = resolveSettings({ type: typed.type }, stored).settings
  return mapWithGuardedSecrets(
    definition,
    { chosen: resolved.settings, stored: ofOperator },
    map,
    Boolean(context.answers?.size),
  )
}

/** Returns the event with its type in lower case, or why the destination does not accept it. */
function typedEvent(definition: DestinationDefinition, event: Event): TypedEvent | MappingError {
  if (typeof event['type'] !== 'string' || event['type'] === '') {
    return instrumentationError('message type missing or invalid')
  }
  const type = messageTypeOf(event, definition)
  if (type === undefined || !definition.supports.includes(type)) {
    return instrumentationError(`message type ${event['type']} is not supported`)
  }
  return event['type'] === type ? (event as TypedEvent) : { ...event, type }
}
