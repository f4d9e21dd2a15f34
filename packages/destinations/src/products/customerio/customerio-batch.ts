import { isJsonObject, type JsonObject } from '@sluice/core'
import { type BatchRule, type DeliveryRequest, eachAlone, json, pack, sameTarget } from '../../kit/index.ts'

/** Marks requests that contain batch items, as opposed to calls of version 1. */
export const batchKind = 'v2/batch'

export const itemsMax = 1000
export const bytesMax = 500_000 // Customer.io refuses batches above 500 KB

/** Packs batch items; calls of version 1 are sent alone. Source: Customer.io docs, Track API v2 (limits). */
export const customerioBatch: BatchRule = (entries, settings, limits) => {
  const isItem = ({ requests }: (typeof entries)[number]) => requests.every((each) => each.endpointPath === batchKind)
  const batches = [
    ...packItems(entries.filter(isItem), settings, limits),
    ...eachAlone(entries.filter((entry) => !isItem(entry))),
  ]
  return batches.sort((a, b) => (a.indexes[0] ?? 0) - (b.indexes[0] ?? 0))
}

const packItems = pack({
  key: sameTarget,
  itemsMax,
  bytesMax,
  merge(items) {
    const [{ request }] = items as [(typeof items)[number]]
    const headers = { ...request.headers, 'Content-Type': 'application/json' }
    const batch = items.flatMap((item) => itemsOf(item.request))
    const { userId: _, ...merged } = json({
      method: request.method,
      endpoint: request.endpoint,
      headers,
      body: { batch },
      endpointPath: batchKind,
    })
    return merged
  },
})

/** Returns the items of a request. A group event that was not batched has its single item without a list. */
export function itemsOf({ body }: Pick<DeliveryRequest, 'body'>): readonly JsonObject[] {
  const { batch } = body.JSON
  return Array.isArray(batch) ? batch.filter(isJsonObject) : [body.JSON]
}
