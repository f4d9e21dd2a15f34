import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { DestinationReply, ItemVerdict, Verdict } from './reply.ts'
import { verdictByStatus } from './verdict-by-status.ts'

/** One item of a request that the product did not take. */
export interface RefusedItem {
  /** Of the item in the request; left out, every item is refused. */
  readonly index?: number
  /** The status to report; 400 when left out. What is to be done follows from it. */
  readonly status?: number
  readonly message: string
}

/** How a product that takes many items at once tells which of them it refused. */
export interface PerItemRule {
  /** How many items a request carries. */
  itemsIn(request: DeliveryRequest): number
  /** What a reply says of items: an empty list where it took all, undefined where it does not speak of items. */
  refused(reply: DestinationReply, request: DeliveryRequest): readonly RefusedItem[] | undefined
}

/**
 * Makes a `respond` of such a product: once a reply speaks of items the request as a whole counts as delivered, and each
 * item has a verdict of its own. Of other replies the status decides. An index the request does not have says nothing.
 */
export function respondPerItem({ itemsIn, refused }: PerItemRule) {
  return (reply: DestinationReply, request: DeliveryRequest): Verdict => {
    const told = refused(reply, request)
    if (told === undefined) return verdictByStatus(reply)
    const items: ItemVerdict[] = Array.from({ length: itemsIn(request) }, () => taken)
    for (const { index, status = 400, message } of told) {
      const verdict = { ...verdictByStatus({ status }), message }
      if (index === undefined) items.fill(verdict)
      else if (index in items) items[index] = verdict
    }
    return { ...taken, status: reply.status, items }
  }
}

const taken: ItemVerdict = verdictByStatus({ status: 200 })
