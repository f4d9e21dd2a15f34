import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { messageTypeOf } from '../define/message-type.ts'
import { consentFilter } from './consent-filter.ts'
import type { EventFilter } from './event-filter.ts'
import { eventLists } from './event-lists.ts'
import { integrationsFilter } from './integrations-filter.ts'
import { unreadableGateFilter } from './unreadable-gate.ts'

/** Why an event of a type is dropped that a destination does not take. */
export const unsupportedReason = 'message type not supported'

/**
 * Creates the filter for events that a destination must not get. It checks the message types, the `integrations` object
 * of the event, the consent of the user, and the event lists in the settings, and returns the first reason.
 *
 * Every type has the settings for it: see `withGates`.
 */
export function createEventFilter(definition: DestinationDefinition, settings: JsonObject): EventFilter {
  const supported: ReadonlySet<unknown> = new Set(definition.supports)
  const isSupported = (event: Event): boolean =>
    definition.takesAnyType === true || supported.has(messageTypeOf(event, definition))
  const filters: readonly EventFilter[] = [
    (event) => (isSupported(event) ? undefined : unsupportedReason),
    integrationsFilter(definition),
    unreadableGateFilter(settings),
    consentFilter(settings),
    eventLists(settings),
  ]
  return (event, sourceType) => {
    for (const filter of filters) {
      const reason = filter(event, sourceType)
      if (reason !== undefined) return reason
    }
    return undefined
  }
}
