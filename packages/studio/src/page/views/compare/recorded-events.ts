import { request } from '../../api/request.ts'

/** Returns the newest recorded events, personal data masked. @throws ApiError without the scope `operate`. */
export async function recordedEvents(
  limit: number,
  destinationId: string | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const query = new URLSearchParams({ limit: String(limit), ...(destinationId === undefined ? {} : { destinationId }) })
  const { data } = await request<Answer>(`/v2/recorded-events?${query}`)
  return data.map(({ event }) => event)
}

interface Answer {
  readonly data: readonly { readonly event: Readonly<Record<string, unknown>> }[]
}

/** Events that are looked through for different ones. */
const lookedMax = 100

/**
 * Returns some recorded events, as different ones as there are: one of each name, then the second of each.
 * @param messageId that of an event that comes first where it is among them.
 */
export async function differentEvents(
  count: number,
  destinationId: string | undefined,
  messageId?: string,
): ReturnType<typeof recordedEvents> {
  const events = await recordedEvents(lookedMax, destinationId)
  const seen = new Map<string, number>()
  const places = events.map((event) => {
    const name = `${event['type']} ${event['event']}`
    const place = seen.get(name) ?? 0
    seen.set(name, place + 1)
    return { event, place: messageId !== undefined && event['messageId'] === messageId ? -1 : place }
  })
  return places
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ event }) => event)
}
