import { type Event, identifierText, type JsonObject, type Random, uuidV4 } from '@sluice/core'
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
 * (kept when sent), `rudderId` and the same value under `serviceId`, and, when missing, `timestamp` =
 * receivedAt − (sentAt − originalTimestamp), which takes the error of the sender's clock out.
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
  const receivedAt = typeof event['receivedAt'] === 'string' ? event['receivedAt'] : call.receivedAtText
  return {
    ...event,
    messageId,
    rudderId: identity,
    serviceId: identity,
    receivedAt,
    request_ip: event['request_ip'] ?? call.requestIp ?? '',
    timestamp: event['timestamp'] ?? timestampOf(event, receivedAt, call),
  }
}

function timestampOf(event: JsonObject, receivedAt: string, call: ReceivedCall): string {
  const received = Date.parse(receivedAt)
  const original = timeOf(event['originalTimestamp'])
  const sent = timeOf(event['sentAt'] ?? call.sentAt)
  const skewed = received - (sent - original)
  const time = [skewed, original, received].find(isTime) ?? call.receivedAt
  return time === call.receivedAt ? call.receivedAtText : isoTime(time)
}

function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

// The range a Date can show; a sender's nonsense must not make toISOString throw.
function isTime(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= 8.64e15
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
