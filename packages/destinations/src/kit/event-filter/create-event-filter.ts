import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { messageTypeOf } from '../define/message-type.ts'
import { consentFilter } from './consent-filter.ts'
import type { EventFilter } from './event-filter.ts'
import { eventLists } from './event-lists.ts'
import { integrationsFilter } from './integrations-filter.ts'

/**
 * Creates the filter for events that a destination must not get. It checks the message types, the `integrations` object
 * of the event, the consent of the user, and the event lists in the settings, and returns the first reason.
 *
 * Filter settings apply even if the definition does not declare them, because users import them with their workspaces.
 */
export function createEventFilter(definition: DestinationDefinition, settings: JsonObject): EventFilter {
  const supported: ReadonlySet<unknown> = new Set(definition.supports)
  const isSupported = (event: Event): boolean =>
    definition.takesAnyType === true || supported.has(messageTypeOf(event, definition))
  const filters: readonly EventFilter[] = [
    (event) => (isSupported(event) ? undefined : 'message type not supported'),
    integrationsFilter(definition),
    consentFilter(settings),
    eventLists(settings),
  ]
  return (event) => {
    for (const filter of filters) {
      const reason = filter(event)
      if (reason !== undefined) return reason
    }
    return undefined
  }
}
