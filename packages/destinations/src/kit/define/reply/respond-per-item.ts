import type { DeliveryRequest } from '../../map/request/delivery-request.ts'
import type { DestinationReply, ItemVerdict, Verdict } from './reply.ts'
import { verdictByStatus } from './verdict-by-status.ts'

/** An item of a request that the product refused. */
export interface RefusedItem {
  /** Index of the item in the request. Without it, every item is refused. */
  readonly index?: number
  /** Status to report, which determines the outcome. Default 400. */
  readonly status?: number
  readonly message: string
}

/** How a product reports which items of a request it refused. */
export interface PerItemRule {
  /** Returns the number of items in a request. */
  itemsIn(request: DeliveryRequest): number
  /** Returns the refused items: an empty list if all were accepted, undefined if the reply does not mention items. */
  refused(reply: DestinationReply, request: DeliveryRequest): readonly RefusedItem[] | undefined
}

/**
 * Creates `respond` for such a product. If a reply mentions items, the request as a whole counts as delivered and each
 * item has its own verdict. Otherwise the status decides. Indexes that are not in the request are ignored.
 */
export function respondPerItem({ itemsIn, refused }: PerItemRule) {
  return (reply: DestinationReply, request: DeliveryRequest): Verdict => {
    const refusals = refused(reply, request)
    if (refusals === undefined) return verdictByStatus(reply)
    const items: ItemVerdict[] = Array.from({ length: itemsIn(request) }, () => taken)
    for (const { index, status = 400, message } of refusals) {
      const verdict = { ...verdictByStatus({ status }), message }
      if (index === undefined) items.fill(verdict)
      else if (index in items) items[index] = verdict
    }
    return { ...taken, status: reply.status, items }
  }
}

const taken: ItemVerdict = verdictByStatus({ status: 200 })
