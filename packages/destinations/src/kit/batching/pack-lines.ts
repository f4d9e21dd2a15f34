import type { JsonValue } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { BatchRule } from './batch-rule.ts'
import { pack } from './pack.ts'

export interface LinesRule {
  /** Returns the place of a request. Lines for the same place may be written together. Default: the endpoint. */
  readonly place?: (request: DeliveryRequest) => string
  /** Returns the endpoint of a batch. Default: that of its first request. */
  readonly endpoint?: (requests: readonly DeliveryRequest[]) => string
  readonly itemsMax: number
  readonly bytesMax: number
}

/**
 * Creates a batch rule for destinations that accept events as lines of JSON. Requests with a body `{lines: […]}` become
 * one request with all lines. A line cannot make others fail.
 */
export function packLines({ place = ({ endpoint }) => endpoint, endpoint, itemsMax, bytesMax }: LinesRule): BatchRule {
  return pack({
    key: ({ request }) => place(request),
    itemsMax,
    bytesMax,
    canSpoil: false,
    merge(items) {
      const requests = items.map(({ request }) => request)
      const first = requests[0] as DeliveryRequest
      return {
        ...first,
        endpoint: endpoint?.(requests) ?? first.endpoint,
        userId: '',
        body: { ...first.body, JSON: { lines: requests.flatMap(linesOf) } },
      }
    },
  })
}

function linesOf({ body }: DeliveryRequest): readonly JsonValue[] {
  const lines = body.JSON['lines']
  return Array.isArray(lines) ? lines : []
}
