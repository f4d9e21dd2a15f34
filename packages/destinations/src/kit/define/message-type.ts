import { type Event, eventTypes, isEventType } from '@sluice/core'

/**
 * Message types of mappings: the six event types, and rows of warehouses, which reach audience destinations as `record`
 * or, in an older form, as `audiencelist`. Ingestion accepts only the six.
 */
export const messageTypes = [...eventTypes, 'record', 'audiencelist'] as const

export type MessageType = (typeof messageTypes)[number]

/** An event with a valid type. */
export type TypedEvent = Event & { readonly type: MessageType }

/**
 * Returns the message type of an event, or undefined when it is not one of them. Types match in any case (`TRACK`), as
 * at most destinations of RudderStack. With `matchesTypesExactly`, only warehouse types do (`audienceList`).
 */
export function messageTypeOf(
  event: Event,
  { matchesTypesExactly = false }: { readonly matchesTypesExactly?: boolean } = {},
): MessageType | undefined {
  const { type } = event
  if (isEventType(type)) return type
  const lower = typeof type === 'string' ? type.toLowerCase() : ''
  if (lower === 'record' || lower === 'audiencelist') return lower
  return isEventType(lower) && !matchesTypesExactly ? lower : undefined
}

/** All event types, for `supports`. */
export const everyType = eventTypes
