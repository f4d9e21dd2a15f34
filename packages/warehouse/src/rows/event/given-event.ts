import { type Event, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { datetimeOf } from '../columns/datetime.ts'
import { shownValue } from '../columns/shown-value.ts'
import { isBlank } from '../columns/typed-value.ts'
import type { RowError } from '../row-error.ts'
import type { RowSettings } from '../row-settings.ts'
import type { EventOrigin } from './event-origin.ts'
import type { JsonPaths, PathRoot } from './json-paths.ts'

/** An event, and what its rows share. */
export interface GivenEvent {
  readonly event: Event
  readonly origin: EventOrigin
  readonly settings: RowSettings
  readonly paths: ReadonlyMap<PathRoot, JsonPaths>
  /** Undefined when the event has another value in its place. */
  readonly context: JsonObject | undefined
  readonly id: JsonValue | undefined
  /** ISO text in UTC. */
  readonly receivedAt: string
  /** Id of the record that a source has synced, for events that are named by it. */
  readonly recordId: string | number | undefined
}

/** Returns the context of an event: an empty one where there is none, undefined for a text or a list. */
export function contextOf({ context }: Event): JsonObject | undefined {
  if (context === undefined || context === null) return {}
  return isJsonObject(context) ? context : undefined
}

/** Returns the messageId; another one when it is missing, and undefined for an object or a list. */
export function idOf(event: Event, uuid: (event: Event) => string): JsonValue | undefined {
  const { messageId } = event
  return isMissing(messageId) ? `auto-${uuid(event)}` : scalar(messageId)
}

/** Returns when an event was received: as it says itself, as its origin says, or now. */
export function receivedAtOf({ receivedAt }: Event, origin: EventOrigin, now: () => number): string {
  const own = typeof receivedAt === 'string' ? datetimeOf(receivedAt) : undefined
  if (own !== undefined) return own
  const known = origin.receivedAt === undefined ? undefined : datetimeOf(origin.receivedAt)
  return known ?? new Date(now()).toISOString()
}

/**
 * Returns the id of the record that the event brings, undefined when the event is of another kind. Extract events bring
 * one, and so do track events that a cloud source has synced.
 */
export function recordIdOf(
  { recordId, context }: Event,
  type: string,
  { sourceCategory }: EventOrigin,
): string | number | undefined | RowError {
  const isSource = sourceCategory === 'cloud' || sourceCategory === 'singer-protocol'
  const sources = isJsonObject(context) ? context['sources'] : undefined
  const isSynced = isSource && isJsonObject(sources) && !isBlank(sources['version'])
  if (type !== 'extract' && !(type === 'track' && isSynced)) return undefined
  if (typeof recordId === 'number' || (typeof recordId === 'string' && recordId.trim() !== '')) return recordId
  return {
    code: 'record_id_missing',
    message: `recordId is ${shownValue(recordId)}; events of this source need a text that is not empty, or a number.`,
  }
}

const originIds = ['sourceId', 'sourceType', 'destinationId', 'destinationType'] as const

/** Returns the event with what was filled in, as JSON text. */
export function wholeEvent({ event, origin, context, id, receivedAt }: GivenEvent): string {
  const whole = copyOf(event)
  if (context) {
    const own = copyOf(context)
    for (const name of originIds) if (origin[name] !== undefined) own[name] = origin[name]
    whole['context'] = own
  }
  if (isMissing(event['messageId'])) whole['messageId'] = id
  const hasTime = typeof event['receivedAt'] === 'string' && datetimeOf(event['receivedAt']) !== undefined
  if (!hasTime) whole['receivedAt'] = receivedAt
  return JSON.stringify(whole)
}

/** V8 writes objects that were assigned to as JSON in half the time of spread ones. */
function copyOf(object: JsonObject): Record<string, JsonValue | undefined> {
  // Assigning this key would set the prototype instead.
  return Object.hasOwn(object, '__proto__') ? { ...object } : Object.assign({}, object)
}

/** Returns the name of an event as text. A number or boolean is one, too; a date becomes ISO text, as in RudderStack. */
export function nameText(value: JsonValue | undefined): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? (datetimeOf(value) ?? value) : ''
}

/** Returns a value for a standard column: these take no objects and lists. */
export function scalar(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'object' ? undefined : value
}

function isMissing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === ''
}
