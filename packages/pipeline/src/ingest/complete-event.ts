import { type Event, identifierText, type JsonObject, type JsonValue, type Random, uuidV4 } from '@sluice/core'
import { isoTimeOf, isShownTime } from '@sluice/core/iso-time'
import { rudderId } from './rudder-id.ts'

/** What all events of a call have in common. */
export interface ReceivedCall {
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** The same as ISO 8601, made once for all events. */
  readonly receivedAtText: string
  readonly requestIp?: string
  readonly sentAt?: string
}

/**
 * Adds what ingestion owes every event: `messageId` (cleaned; a UUID where it is blank), `receivedAt` and `request_ip`
 * (kept when sent; a `receivedAt` must be a time), `rudderId` and the same value under `serviceId`, and, when it is missing
 * or no time, `timestamp` = receivedAt − (sentAt − originalTimestamp), which takes the error of the sender's clock out. A
 * `timestamp` that is no time is kept as `originalTimestamp`, unless there is one.
 *
 * Sources: packages/docs/behaviour/events.md#completion.
 */
export function completeEvent(
  event: JsonObject,
  call: ReceivedCall,
  random: Random,
): Event & { readonly messageId: string } {
  const messageId = identifierText(event['messageId']) || uuidV4(random)
  const identity = rudderId(event['userId'], event['anonymousId'])
  const receivedAt = isTime(event['receivedAt']) ? event['receivedAt'] : call.receivedAtText
  return {
    ...event,
    messageId,
    rudderId: identity,
    serviceId: identity,
    receivedAt,
    request_ip: event['request_ip'] ?? call.requestIp ?? '',
    ...timesOf(event, receivedAt, call),
  }
}

function timesOf(
  event: JsonObject,
  receivedAt: string,
  call: ReceivedCall,
): { readonly timestamp: string; readonly originalTimestamp?: JsonValue } {
  const { timestamp, originalTimestamp } = event
  if (isTime(timestamp)) return { timestamp }
  const computed = timestampOf(event, receivedAt, call)
  const isLost = timestamp !== undefined && timestamp !== null && originalTimestamp === undefined
  return { timestamp: computed, ...(isLost ? { originalTimestamp: timestamp } : {}) }
}

function timestampOf(event: JsonObject, receivedAt: string, call: ReceivedCall): string {
  const received = isoTimeOf(receivedAt) ?? call.receivedAt
  const original = timeOf(event['originalTimestamp'])
  const sent = timeOf(event['sentAt'] ?? call.sentAt)
  const skewed = received - (sent - original)
  const time = [skewed, original, received].find(isShownTime) ?? call.receivedAt
  return time === call.receivedAt ? call.receivedAtText : isoTime(time)
}

function timeOf(value: unknown): number {
  return (typeof value === 'string' ? isoTimeOf(value) : undefined) ?? Number.NaN
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && isoTimeOf(value) !== undefined
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
