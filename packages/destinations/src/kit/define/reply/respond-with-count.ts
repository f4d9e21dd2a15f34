import type { DeliveryRequest } from '../../map/request/delivery-request.ts'
import type { DestinationReply, Verdict } from './reply.ts'
import { verdictByStatus } from './verdict-by-status.ts'

/**
 * Creates the `respond` of a search from a function that counts the records in a reply.
 *
 * @param count returns undefined when the reply does not say what the product has: the search has failed then. It gets
 * replies with 404 too, because some products answer so when they have no such person.
 * @param explain returns what is wrong when `count` returned nothing, for products whose answer needs words.
 */
export function respondWithCount(
  count: (reply: DestinationReply, request: DeliveryRequest) => number | undefined,
  explain: (reply: DestinationReply, request: DeliveryRequest) => string | undefined = () => undefined,
): (reply: DestinationReply, request: DeliveryRequest) => Verdict {
  return (reply, request) => {
    const verdict = verdictByStatus(reply)
    const isRead = verdict.outcome === 'delivered' || reply.status === 404
    const records = isRead ? count(reply, request) : undefined
    if (records !== undefined) {
      const found = { outcome: 'delivered', status: 200, message: '' } as const
      return { ...found, items: [{ ...found, records }] }
    }
    return { ...verdict, message: explain(reply, request) ?? verdict.message, items: [verdict] }
  }
}
