import type { JsonObject } from './json.ts'

/** The six message types, in documentation order. Source: packages/docs/behaviour/events.md#types. */
export const eventTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias'] as const

export type EventType = (typeof eventTypes)[number]

/**
 * A customer event. It is an object; nothing else is guaranteed. Sources send what they like, so any member may be
 * absent or have an unexpected type. Only the members that ingestion sets are listed.
 */
export interface Event extends JsonObject {
  /** Cleaned text, never blank after ingestion. A UUID if the sender gave none. */
  readonly messageId?: string
  /** Time of ingestion: ISO 8601, UTC, with milliseconds. A value from the sender is kept. */
  readonly receivedAt?: string
}

/**
 * Returns whether a value is one of the six message types.
 * @example
 * ```ts
 * import { isEventType } from '@sluice/core'
 *
 * console.log(isEventType('track'), isEventType('purchase')) // true false
 * ```
 */
export function isEventType(value: unknown): value is EventType {
  return eventTypes.includes(value as EventType)
}
