import { type DeliveryRequest, type DestinationReply, type Verdict, verdictByStatus } from '../../kit/index.ts'

/**
 * Reads a reply of Algolia. It refuses a whole request for one invalid event (422), without naming it, so the events of
 * a larger request are sent again one by one.
 *
 * Source: Algolia docs, Insights API; recorded behaviour of RudderStack's algolia destination.
 */
export function respondToAlgolia(reply: DestinationReply, { body }: DeliveryRequest): Verdict {
  const verdict = verdictByStatus(reply)
  const { events } = body.JSON
  const isShared = Array.isArray(events) && events.length > 1
  if (reply.status !== 422 || !isShared) return verdict
  const again = { outcome: 'retry', status: 500, message: 'Algolia refused one of the events' } as const
  return { ...verdict, items: events.map(() => again) }
}
