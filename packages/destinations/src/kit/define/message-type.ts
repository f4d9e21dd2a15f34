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
 * Returns the message type of an event, or undefined when it is not one of them. Event types must match exactly;
 * warehouse types match in any case (`audienceList`).
 */
export function messageTypeOf(event: Event): MessageType | undefined {
  const { type } = event
  if (isEventType(type)) return type
  const lower = typeof type === 'string' ? type.toLowerCase() : ''
  return lower === 'record' || lower === 'audiencelist' ? lower : undefined
}

/** All event types, for `supports`. */
export const everyType = eventTypes
