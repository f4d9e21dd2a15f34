import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'

/** The content of an event, and what destinations made of it, as far as it is kept. */
interface EventPayload {
  readonly sourceId: string
  readonly masked: boolean
  readonly event: Readonly<Record<string, unknown>>
  readonly destinations: readonly {
    readonly destinationId: string
    readonly state: 'waiting' | 'failed' | 'delivered'
    readonly outputs?: unknown
    readonly request?: unknown
    readonly reply?: unknown
  }[]
}

const everyMs = 10_000

/** Reads the content of an event. @param isRevealed with personal data, which is audited. */
export function useEventPayload(messageId: string, isRevealed: boolean) {
  const path = `/v1/events/${encodeURIComponent(messageId)}/payload${isRevealed ? '?reveal=true' : ''}`
  // Read once where it is audited: each read is an entry.
  return usePolled(path, (signal) => request<EventPayload>(path, { signal }), isRevealed ? 0 : everyMs).state.value
}

/** Members that ingestion adds, or that only hold for the first time it was sent. */
const ofFirstTime = ['messageId', 'receivedAt', 'sentAt', 'originalTimestamp', 'timestamp', 'rudderId', 'serviceId']

/** Returns an event as its sender would send it again. */
export function asSent(event: EventPayload['event']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(event).filter(([key]) => !ofFirstTime.includes(key)))
}
