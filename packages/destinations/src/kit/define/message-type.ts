import { type Event, eventTypes, isEventType } from '@sluice/core'

/**
 * What a mapping can be asked about: the six types of events, and the rows of warehouses, which reach audience
 * destinations as `record` and, in an older form, as `audiencelist`. Ingestion takes the six only.
 */
export const messageTypes = [...eventTypes, 'record', 'audiencelist'] as const

export type MessageType = (typeof messageTypes)[number]

/** An event of which the type is known to be one. */
export type TypedEvent = Event & { readonly type: MessageType }

/**
 * The type of an event, undefined when it has none of them. Senders of events write their types exactly; warehouses write
 * theirs in any case (`audienceList`).
 */
export function messageTypeOf(event: Event): MessageType | undefined {
  const { type } = event
  if (isEventType(type)) return type
  const lower = typeof type === 'string' ? type.toLowerCase() : ''
  return lower === 'record' || lower === 'audiencelist' ? lower : undefined
}

/** For `supports`: every type of event there is. */
export const everyType = eventTypes
