/// <reference lib="es2024.string" />
import type { SourcedEvent } from '@sluice/core'

/** Identifies an event model. `eventIdentifier` is the event name of a track call, '' for other types. */
export interface ModelKey {
  readonly writeKey: string
  readonly eventType: string
  readonly eventIdentifier: string
}

/**
 * Returns the model of an event. Undefined when it has none: its `type` is not a string, or it is a track call whose
 * `event` is not a string. Lone surrogates become U+FFFD, as in the paths of its schema.
 *
 * Source: packages/docs/behaviour/schemas.md#models.
 * @example
 * ```ts
 * import { modelKeyOf } from '@sluice/schema'
 *
 * const event = { type: 'track', event: 'Order Completed', userId: 'u1' } as const
 * console.log(modelKeyOf({ workspaceId: 'w', sourceId: 's', writeKey: 'k', event })?.eventIdentifier) // Order Completed
 * ```
 */
export function modelKeyOf({ writeKey, event }: SourcedEvent): ModelKey | undefined {
  const { type, event: name } = event
  if (typeof type !== 'string') return undefined
  if (type !== 'track') return { writeKey, eventType: bounded(type), eventIdentifier: '' }
  return typeof name === 'string' ? { writeKey, eventType: type, eventIdentifier: bounded(name) } : undefined
}

/** Longer names, which no person chose, are distinguished only by their beginning. */
const nameLengthMax = 1_000

function bounded(name: string): string {
  return name.slice(0, nameLengthMax).toWellFormed()
}

/** Returns a text that is equal for equal model keys only. Lengths mark the end of each part, whatever it contains. */
export function modelKeyText({ writeKey, eventType, eventIdentifier }: ModelKey): string {
  return `${writeKey.length} ${eventType.length} ${writeKey}${eventType}${eventIdentifier}`
}
