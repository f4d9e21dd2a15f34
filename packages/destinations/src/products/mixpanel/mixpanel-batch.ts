import { joined } from '../../kit/batching/joined.ts'
import { kindByKind } from '../../kit/batching/kind-by-kind.ts'
import { pack } from '../../kit/batching/pack.ts'

export const itemsMax = 2000 // events of an import, changes of users. Source: Mixpanel's API
export const groupsMax = 200 // changes of groups. Source: Mixpanel's API
export const bytesMax = 1_000_000 // an event may have no more, and profile requests with more are refused

/**
 * Events go kind by kind, because Mixpanel keeps events, users and groups apart; what one event becomes stays together.
 * Requests differ by address and by who they come from.
 */
export const mixpanelBatch = kindByKind(
  ({ event }) => String(event['type']),
  joined(
    pack({
      key: ({ request: { endpoint, headers, params } }) => JSON.stringify([endpoint, headers, params]),
      itemsMax: (_, { request }) => (request.endpointPath === 'groups' ? groupsMax : itemsMax),
      bytesMax,
      merge(items) {
        const [{ request }] = items as [(typeof items)[number]]
        const { userId: _, ...shared } = request
        const texts = items.map((item) => (item.request.body.JSON_ARRAY.batch ?? '[]').slice(1, -1))
        return { ...shared, body: { ...request.body, JSON_ARRAY: { batch: `[${texts.join()}]` } } }
      },
    }),
  ),
)
