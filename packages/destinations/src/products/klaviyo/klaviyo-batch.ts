import type { JsonObject, JsonValue } from '@sluice/core'
import {
  type Batch,
  type BatchRule,
  type DeliveryRequest,
  joined,
  jointRequest,
  objectsIn,
  pack,
  valueAt,
  withoutUser,
} from '../../kit/index.ts'
import { isSubscription } from './klaviyo-subscription.ts'

export const profilesMax = 100 // profiles per subscription job; source: Klaviyo docs, Bulk subscribe profiles

const profilePath = '/api/profile-import'

/**
 * Joins subscriptions of the same kind to the same list. The profiles that they belong to are sent with them, each in a
 * request of its own: before the subscription, or after it in the old revision.
 */
export const klaviyoBatch: BatchRule = (entries, settings, limits) =>
  joined(packed)(entries, settings, limits).map(ordered)

const packed = pack({
  isJoinable: (request) => isSubscription(request) || request.endpointPath === profilePath,
  key: ({ request, event: { type } }) => JSON.stringify([type, request.endpoint, request.headers, listOf(request)]),
  itemsMax: (_, { request }) => (isSubscription(request) ? profilesMax : 1),
  merge(items) {
    const [{ request }] = items
    if (!isSubscription(request)) return request
    const data = request.body.JSON['data'] as JsonObject
    const attributes = data['attributes'] as JsonObject
    const members = items.flatMap((item) => membersOf(item.request))
    const all = attributes['profiles'] === undefined ? { subscriptions: members } : { profiles: { data: members } }
    return jointRequest(request, { data: { ...data, attributes: { ...attributes, ...all } } })
  },
})

function listOf({ body: { JSON: body } }: DeliveryRequest): JsonValue {
  return (
    valueAt(body, ['data', 'attributes', 'list_id']) ??
    valueAt(body, ['data', 'relationships', 'list', 'data', 'id']) ??
    null
  )
}

function membersOf({ body: { JSON: body } }: DeliveryRequest): readonly JsonObject[] {
  return objectsIn(
    valueAt(body, ['data', 'attributes', 'profiles', 'data']) ?? valueAt(body, ['data', 'attributes', 'subscriptions']),
  )
}

function ordered(batch: Batch): Batch {
  const places = [...batch.requests.keys()].sort((a, b) => rank(batch.requests[a]) - rank(batch.requests[b]))
  return {
    ...batch,
    requests: places.map((place) => withoutUser(batch.requests[place] as DeliveryRequest)),
    parts: places.map((place) => batch.parts[place] ?? []),
  }
}

function rank(request: DeliveryRequest | undefined): number {
  return request?.endpointPath === profilePath ? 0 : request && isSubscription(request) ? 1 : 2
}
