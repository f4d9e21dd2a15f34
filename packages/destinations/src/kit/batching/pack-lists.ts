import type { JsonObject, JsonValue } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { BatchRule } from './batch-rule.ts'
import { jointRequest } from './joint-request.ts'
import { type PackRule, pack } from './pack.ts'

/** How requests with several lists in one body are packed. */
export interface ListsRule extends Pick<PackRule, 'key' | 'bytesMax' | 'canSpoil' | 'isJoinable'> {
  /** Largest number of elements of each list, by its name in the JSON body. */
  readonly listsMax: Readonly<Record<string, number>>
  /** Largest number of requests in a batch. Default: only the lists limit it. */
  readonly itemsMax?: number
  /** Changes the joined request: sets an `endpointPath`, for example. */
  readonly finish?: (request: DeliveryRequest, settings: JsonObject) => DeliveryRequest
}

/**
 * Creates a batch rule for products that accept several lists in one body, each with its own maximum, such as users and
 * events. The lists of all requests are concatenated in their order; other members, headers and address are those of the
 * first request, without its user. A request is never divided, so an event with a list that is too long is sent alone.
 */
export function packLists({ listsMax, itemsMax = Number.POSITIVE_INFINITY, finish, ...rule }: ListsRule): BatchRule {
  const names = Object.keys(listsMax)
  return pack({
    ...rule,
    listsMax,
    itemsMax,
    merge(items, settings) {
      const [{ request: first }] = items
      const lists: Record<string, JsonValue> = {}
      for (const name of names) {
        const elements = items.flatMap(({ request }) => elementsOf(request.body.JSON[name]))
        if (elements.length > 0) lists[name] = elements
      }
      const joined = jointRequest(first, { ...first.body.JSON, ...lists })
      return finish ? finish(joined, settings) : joined
    },
  })
}

function elementsOf(list: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(list) ? list : []
}
