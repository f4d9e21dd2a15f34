import type { JsonObject, JsonValue } from '@sluice/core'
import { type BatchRule, jointRequest, objectsIn, packLists, sameTarget } from '../../kit/index.ts'

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
  key: (item) => `${sameTarget(item)} ${peopleIn(item.request.body.JSON)}`,
  listsMax: { ...trackedMax, merge_updates: mergesMax, subscription_groups: subscriptionsMax },
  bytesMax,
  finish(request) {
    const { JSON: body } = request.body
    if (request.endpointPath === paths.track) return jointRequest(request, { ...body, partner: 'RudderStack' })
    const groups = objectsIn(body['subscription_groups'])
    return groups.length > 0 ? jointRequest(request, { subscription_groups: joinedGroups(groups) }) : request
  },
})

/** Returns by what the subscriptions of a request name people: one request must not name some by phone and some by email. */
function peopleIn(body: JsonObject): string {
  const groups = objectsIn(body['subscription_groups'])
  return ['phones', 'emails'].filter((name) => groups.some((group) => group[name] !== undefined)).join()
}

/** Joins subscriptions to the same group with the same state. */
function joinedGroups(groups: readonly JsonObject[]): readonly JsonObject[] {
  const byGroup = new Map<string, Record<string, JsonValue | undefined>>()
  for (const { subscription_group_id, subscription_state, ...people } of groups) {
    const key = JSON.stringify([subscription_group_id, subscription_state])
    const group = byGroup.get(key) ?? { subscription_group_id, subscription_state }
    for (const [name, ids] of Object.entries(people)) {
      group[name] = [...new Set([group[name] ?? [], ids ?? []].flat())]
    }
    byGroup.set(key, group)
  }
  return [...byGroup.values()]
}
