import type { JsonObject } from './json.ts'

/** The six message types, in the order they are documented. Source: packages/docs/behaviour/events.md#types. */
export const eventTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const

export type EventType = (typeof eventTypes)[number]

/**
 * A customer event. Only its being an object is guaranteed: any member may be absent or of another type than its name
 * suggests, because sources send what they like. Members set by ingestion are listed; everything else is the sender's.
 */
export interface Event extends JsonObject {
  /** Cleaned text, never blank after ingestion; a UUID where the sender gave none. */
  readonly messageId?: string
  /** ISO 8601, UTC, milliseconds: when ingestion took the event. Kept when the sender gave one. */
  readonly receivedAt?: string
}

/** Answers whether a value is one of the six message types. */
export function isEventType(value: unknown): value is EventType {
  return eventTypes.includes(value as EventType)
}
