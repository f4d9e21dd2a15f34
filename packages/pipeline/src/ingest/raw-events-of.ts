import { memberTexts } from '../complete/member-texts.ts'
import type { RawEvents } from '../complete/raw-events.ts'
import type { IngestCall } from './ingest-call.ts'
import type { ParsedEvents } from './parse-events.ts'

/**
 * Returns the events of a call as their sender wrote them, where that says all that is to be kept of them, and nothing
 * else: no event was refused, and a batch has no other member than `sentAt`.
 *
 * @param messageIds of the events that were accepted: all of them.
 */
export function rawEventsOf(
  { type, text, requestIp }: Pick<IngestCall, 'type' | 'text' | 'requestIp'>,
  { events, received, rejected, isExact, sentAt }: ParsedEvents,
  receivedAt: number,
  messageIds: readonly string[],
): RawEvents | undefined {
  const isWhole = isExact && rejected.length === 0 && received === events.length && messageIds.length === received
  const list = text === undefined || !isWhole ? undefined : listIn(text, type)
  if (list === undefined) return undefined
  const made = events.flatMap(({ event }, index) =>
    event['messageId'] === messageIds[index] ? [] : [[index, messageIds[index] ?? ''] as const],
  )
  const ids = made.length > 0 ? { ids: Object.fromEntries(made) } : {}
  const shared = { ...(requestIp === undefined ? {} : { requestIp }), ...(sentAt === undefined ? {} : { sentAt }) }
  return { text: list, completion: { events: received, call: { receivedAt, type, ...shared, ...ids } } }
}

/** Returns the text of the list of events in that of a body. */
function listIn(text: string, type: IngestCall['type']): string | undefined {
  if (type !== 'batch') return `[${text}]`
  const members = memberTexts(text)
  if (members === undefined) return undefined
  const { batch, sentAt: _, ...others } = members
  return Object.keys(others).length === 0 ? batch : undefined
}
