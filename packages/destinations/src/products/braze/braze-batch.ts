import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type BatchEntry, type BatchRule, type DeliveryRequest, pack, packLists } from '../../kit/index.ts'

/** Elements of each list in a request. Source: Braze docs, Track users (for plans by monthly active users). */
export const listsMax = { attributes: 75, events: 75, purchases: 75 }
export const mergesMax = 50 // source: Braze docs, Merge users
export const subscriptionsMax = 25 // requests whose subscriptions are sent together, as by RudderStack
const bytesMax = 4_000_000 // Braze refuses larger requests

/** Paths of Braze's API, which also tell requests apart. */
export const paths = { track: 'users/track', merge: 'users/merge', subscribe: 'v2/subscription/status/set' } as const

const key = ({ request: { endpoint, headers } }: { readonly request: DeliveryRequest }) =>
  JSON.stringify([endpoint, headers])

const packTracked = packLists({
  key,
  listsMax,
  bytesMax,
  finish: (request) => withJson(request, { ...request.body.JSON, partner: 'RudderStack' }),
})

const packMerges = pack({
  key,
  itemsMax: mergesMax,
  merge: (items) => {
    const [{ request }] = items as [(typeof items)[number]]
    return withJson(request, { merge_updates: items.flatMap((item) => listIn(item.request, 'merge_updates')) })
  },
})

const packSubscriptions = pack({
  key,
  itemsMax: subscriptionsMax,
  merge: (items) => {
    const [{ request }] = items as [(typeof items)[number]]
    const groups = items.flatMap((item) => listIn(item.request, 'subscription_groups'))
    return withJson(request, { subscription_groups: joinedGroups(groups) })
  },
})

/** Joins requests of the same kind; every event has one request. */
export const brazeBatch: BatchRule = (entries, settings, limits) => {
  const kindOf = ({ requests: [request] }: BatchEntry) => request?.endpointPath
  const groups = [
    [paths.track, packTracked],
    [paths.subscribe, packSubscriptions],
    [paths.merge, packMerges],
  ] as const
  return groups
    .flatMap(([path, rule]) =>
      rule(
        entries.filter((entry) => kindOf(entry) === path),
        settings,
        limits,
      ),
    )
    .sort((a, b) => (a.indexes[0] ?? 0) - (b.indexes[0] ?? 0))
    .map((batch) => ({ ...batch, requests: batch.requests.map(({ userId: _, ...request }) => request) }))
}

function withJson(request: DeliveryRequest, body: JsonObject): DeliveryRequest {
  return { ...request, body: { ...request.body, JSON: body } }
}

function listIn({ body }: DeliveryRequest, name: string): readonly JsonObject[] {
  const list = body.JSON[name]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
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
