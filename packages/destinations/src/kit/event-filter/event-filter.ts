import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { messageTypeOf } from '../define/message-type.ts'
import { consentFilter } from './consent-filter.ts'
import { eventLists } from './event-lists.ts'
import { integrationsFilter } from './integrations-filter.ts'

/** Answers why an event does not reach a destination at all; undefined when it does. A short fixed text: it is counted. */
export type EventFilter = (event: Event) => string | undefined

/**
 * Everything that keeps events from a destination on purpose: its message types, what the sender said of destinations,
 * what the user consented to, and which events the settings want. The first reason counts.
 *
 * Settings that a definition does not name count too: people bring them with their workspaces.
 */
export function createEventFilter(definition: DestinationDefinition, settings: JsonObject): EventFilter {
  const supported: ReadonlySet<unknown> = new Set(definition.supports)
  const filters: readonly EventFilter[] = [
    (event) => (supported.has(messageTypeOf(event)) ? undefined : 'message type not supported'),
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
