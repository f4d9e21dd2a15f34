import type { JsonValue } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { BatchRule } from './batch.ts'
import { pack } from './pack.ts'

export interface LinesRule {
  /** What goes to the same place may be written together. Default: what has the same endpoint. */
  readonly place?: (request: DeliveryRequest) => string
  /** Where a batch goes. Default: where its first item would. */
  readonly endpoint?: (requests: readonly DeliveryRequest[]) => string
  readonly itemsMax: number
  readonly bytesMax: number
}

/**
 * A batch rule for destinations that take events as lines of JSON: requests whose body is `{lines: […]}` become one with
 * the lines of all. A line cannot make others fail.
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
