import { isJsonObject, type JsonObject } from '@sluice/core'
import { type BatchEntry, type BatchRule, eachAlone } from '../../kit/batching/batch.ts'
import { type PackItem, pack } from '../../kit/batching/pack.ts'
import { text } from '../../kit/convert/text.ts'
import type { DeliveryRequest } from '../../kit/map/delivery-request.ts'

export const eventsMax = 1000 // at most as many devices and users, above which Amplitude slows a batch down; it takes 2,000 events
export const bytesMax = 20_000_000 // source: Amplitude docs, Batch Event Upload API
export const idLengthMin = 5 // shorter ids are refused there; single events lift that by min_id_length

const packEvents = pack({
  key: ({ request: { endpoint, body } }) => JSON.stringify([endpoint, body.JSON['api_key']]),
  itemsMax: eventsMax,
  bytesMax,
  merge(items) {
    const [{ request }] = items as readonly [PackItem, ...PackItem[]]
    if (items.length === 1) return request
    const body = {
      api_key: request.body.JSON['api_key'],
      events: items.flatMap((item) => eventsOf(item.request)),
    }
    return {
      ...request,
      endpoint: `${new URL(request.endpoint).origin}/batch`,
      endpointPath: 'batch',
      body: { ...request.body, JSON: body },
    }
  },
})

/**
 * Many events go to Amplitude's batch API together. Groups and aliases cannot, nor can events of users or devices with
 * short ids. Amplitude orders events by their time, not by how they come.
 */
export const amplitudeBatch: BatchRule = (entries, settings, limits) => {
  const canShare = ({ requests }: BatchEntry): boolean => requests.every(isShareable)
  const shared = entries.filter(canShare)
  return [...eachAlone(entries.filter((entry) => !canShare(entry))), ...packEvents(shared, settings, limits)]
}

function isShareable(request: DeliveryRequest): boolean {
  const events = eventsOf(request)
  return events.length > 0 && events.every(hasLongIds)
}

function hasLongIds({ user_id: user, device_id: device }: JsonObject): boolean {
  const ids = [user, device].flatMap((id) => (id === undefined || id === null ? [] : [text(id)]))
  return ids.length > 0 && ids.every((id) => id.length >= idLengthMin)
}

/** Amplitude takes a lone event without a list, too. */
function eventsOf({ body }: DeliveryRequest): readonly JsonObject[] {
  const { events = [] } = body.JSON
  return (Array.isArray(events) ? events : [events]).filter(isJsonObject)
}
