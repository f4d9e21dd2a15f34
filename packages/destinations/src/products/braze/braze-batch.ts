import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type BatchRule, type DeliveryRequest, packLists } from '../../kit/index.ts'

/** Elements of each list in a request. Source: Braze docs, Track users (for plans by monthly active users). */
export const trackedMax = { attributes: 75, events: 75, purchases: 75 }
export const mergesMax = 50 // source: Braze docs, Merge users
export const subscriptionsMax = 25 // as by RudderStack; Braze accepts 50 users per subscription group
const bytesMax = 4_000_000 // Braze refuses larger requests

/** Paths of Braze's API, which also tell requests apart. */
export const paths = { track: 'users/track', merge: 'users/merge', subscribe: 'v2/subscription/status/set' } as const

/**
 * Joins requests of the same kind. Their bodies are lists: of people, events and purchases; of merges; or of
 * subscriptions.
 */
export const brazeBatch: BatchRule = packLists({
  key: ({ request: { endpoint, headers } }) => JSON.stringify([endpoint, headers]),
  listsMax: { ...trackedMax, merge_updates: mergesMax, subscription_groups: subscriptionsMax },
  bytesMax,
  finish({ userId: _, ...request }) {
    const { JSON: body } = request.body
    if (request.endpointPath === paths.track) return withJson(request, { ...body, partner: 'RudderStack' })
    const { subscription_groups: groups } = body
    return Array.isArray(groups)
      ? withJson(request, { subscription_groups: joinedGroups(groups.filter(isJsonObject)) })
      : request
  },
})

function withJson(request: DeliveryRequest, body: JsonObject): DeliveryRequest {
  return { ...request, body: { ...request.body, JSON: body } }
}

/** Joins subscriptions to the same group with the same state. */
function joinedGroups(groups: readonly JsonObject[]): readonly JsonObject[] {
  const byGroup = new Map<string, JsonObject>()
  for (const group of groups) {
    const name = JSON.stringify([group['subscription_group_id'], group['subscription_state']])
    const before = byGroup.get(name)
    byGroup.set(name, before ? joinedGroup(before, group) : group)
  }
  return [...byGroup.values()]
}

function joinedGroup(before: JsonObject, group: JsonObject): JsonObject {
  const joined: Record<string, JsonValue | undefined> = { ...before }
  for (const name of ['external_ids', 'emails', 'phones']) {
    const ids = [before[name], group[name]].flatMap((list) => (Array.isArray(list) ? list : []))
    if (ids.length > 0) joined[name] = [...new Set(ids)]
  }
  return joined
}
