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
 * Adds what ingestion owes every event: `messageId` (cleaned; a UUID where it is blank), `request_ip` (kept when sent),
 * `rudderId` and the same value under `serviceId`, and four times, all in UTC with milliseconds:
 *
 * - `receivedAt`: as sent, or the time of the call.
 * - `sentAt`: as sent with the event or its batch, or `receivedAt`.
 * - `originalTimestamp`: as sent, or else the `timestamp` that was sent, or `receivedAt`. What was sent and is no time is kept.
 * - `timestamp`: as sent, or receivedAt − (sentAt − originalTimestamp), which takes the error of the sender's clock out.
 *
 * Sources: packages/docs/behaviour/events.md#completion.
 * @example
 * ```ts
 * import { systemRandom } from '@sluice/core'
 * import { completeEvent } from '@sluice/pipeline'
 *
 * const call = { receivedAt: 0, receivedAtText: '1970-01-01T00:00:00.000Z', requestIp: '192.0.2.7' }
 * const event = completeEvent({ type: 'page', messageId: 'm1' }, call, systemRandom)
 * console.log(event['receivedAt'], event['request_ip']) // 1970-01-01T00:00:00.000Z 192.0.2.7
 * ```
 */
export function completeEvent(
  event: JsonObject,
  call: ReceivedCall,
  random: Random,
): Event & { readonly messageId: string } {
  const messageId = identifierText(event['messageId']) || uuidV4(random)
  const identity = rudderId(event['userId'], event['anonymousId'])
  return {
    ...event,
    messageId,
    rudderId: identity,
    serviceId: identity,
    request_ip: event['request_ip'] ?? call.requestIp ?? '',
    ...timesOf(event, call),
  }
}

interface Times {
  readonly receivedAt: string
  readonly sentAt: string
  readonly originalTimestamp: JsonValue
  readonly timestamp: string
}

function timesOf(event: JsonObject, call: ReceivedCall): Times {
  const received = readTime(event['receivedAt']) ?? { at: call.receivedAt, text: call.receivedAtText }
  const sent = readTime(event['sentAt']) ?? readTime(call.sentAt)
  const given = event['timestamp'] ?? undefined
  const own = readTime(given)
  const original = event['originalTimestamp'] ?? undefined
  const occurred = readTime(original)
  return {
    receivedAt: received.text,
    sentAt: sent?.text ?? received.text,
    originalTimestamp: occurred?.text ?? original ?? own?.text ?? given ?? received.text,
    timestamp: own?.text ?? timestampOf(received.at, sent?.at, occurred?.at, call),
  }
}

function timestampOf(
  received: number,
  sent = Number.NaN,
  occurred = Number.NaN,
  { receivedAt, receivedAtText }: ReceivedCall,
): string {
  const time = [received - (sent - occurred), occurred, received].find(isShownTime) ?? receivedAt
  return time === receivedAt ? receivedAtText : isoTime(time)
}

/** Returns a time, also in UTC with milliseconds, as most senders write it; undefined for what is no time. */
function readTime(value: unknown): { readonly at: number; readonly text: string } | undefined {
  if (typeof value !== 'string') return undefined
  const at = isoTimeOf(value)
  return at === undefined ? undefined : { at, text: isShown(value) ? value : isoTime(at) }
}

/** Whether a text that is a time is written like `2026-01-02T03:04:05.006Z`. */
function isShown(time: string): boolean {
  return time.length === 24 && time[10] === 'T' && time[19] === '.' && time[23] === 'Z'
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
