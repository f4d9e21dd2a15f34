import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type BatchEntry,
  type BatchRule,
  convert,
  type DeliveryRequest,
  eachAlone,
  type PackItem,
  pack,
} from '../../kit/index.ts'

/** Amplitude accepts 2,000 events, but slows down batches with more than 1,000 users or devices. */
export const eventsMax = 1000
export const bytesMax = 20_000_000 // source: Amplitude docs, Batch Event Upload API
export const idLengthMin = 5 // characters; only requests with single events may have shorter ids (min_id_length)

const packEvents = pack({
  key: ({ request: { endpoint, body } }) => JSON.stringify([endpoint, body.JSON['api_key']]),
  itemsMax: eventsMax,
  bytesMax,
  merge(items) {
    const [{ request }] = items as readonly [PackItem, ...PackItem[]]
    if (items.length === 1) return request
    const events = items.flatMap((item) => eventsOf(item.request))
    const body = { ...request.body, JSON: { api_key: request.body.JSON['api_key'], events } }
    return { ...request, endpoint: `${new URL(request.endpoint).origin}/batch`, endpointPath: 'batch', body }
  },
})

/**
 * Sends many events together to Amplitude's batch API. Groups, aliases, and events with short user or device ids are
 * sent alone. Amplitude orders events by their time, not by arrival.
 */
export const amplitudeBatch: BatchRule = (entries, settings, limits) => {
  const isShared = ({ requests }: BatchEntry): boolean => requests.every(isShareable)
  const alone = entries.filter((entry) => !isShared(entry))
  return [...eachAlone(alone), ...packEvents(entries.filter(isShared), settings, limits)]
}

function isShareable(request: DeliveryRequest): boolean {
  const events = eventsOf(request)
  return events.length > 0 && events.every(hasLongIds)
}

function hasLongIds({ user_id: user, device_id: device }: JsonObject): boolean {
  const ids = [user, device].flatMap((id) => (id === undefined || id === null ? [] : [convert.text(id)]))
  return ids.length > 0 && ids.every((id) => id.length >= idLengthMin)
}

/** Returns the events of a request; a request with a single event may have it without a list. */
function eventsOf({ body }: DeliveryRequest): readonly JsonObject[] {
  const { events = [] } = body.JSON
  return (Array.isArray(events) ? events : [events]).filter(isJsonObject)
}
