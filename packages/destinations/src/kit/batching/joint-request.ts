import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { PackItems } from './pack.ts'

/** Returns the request of a batch: that of its first item with the body of all, without its user. */
export function jointRequest(first: DeliveryRequest, body: JsonObject): DeliveryRequest {
  return withoutUser({ ...first, body: { ...first.body, JSON: body } })
}

/** Returns the request of a batch whose bodies are JSON arrays: that of its first item with the elements of all. */
export function jointArray(items: PackItems): DeliveryRequest {
  const [{ request }] = items
  const texts = items.map((item) => (item.request.body.JSON_ARRAY.batch ?? '[]').slice(1, -1))
  return withoutUser({ ...request, body: { ...request.body, JSON_ARRAY: { batch: `[${texts.join()}]` } } })
}

/** Returns a request without its user: requests of batches have none, as in RudderStack. */
export function withoutUser({ userId: _, ...request }: DeliveryRequest): DeliveryRequest {
  return request
}
