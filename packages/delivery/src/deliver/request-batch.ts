import type { JsonObject } from '@sluice/core'
import {
  type BatchEntry,
  batchEntries,
  type DeliveryRequest,
  type DestinationDefinition,
} from '@sluice/destinations/kit'
import type { DeliverableEvent, EventDelivery } from './event-delivery.ts'
import type { Exchange } from './exchange.ts'

/** One request of one event. */
export interface RequestItem<T extends DeliverableEvent> {
  readonly delivery: EventDelivery<T>
  /** Its index among the requests of the event. */
  readonly place: number
  readonly request: DeliveryRequest
}

/** A request to be sent, with the one or several request items it carries. */
export interface RequestBatch<T extends DeliverableEvent> {
  readonly request: DeliveryRequest
  /** In the order in which the request carries them. */
  readonly items: readonly RequestItem<T>[]
  /** How to send it once, when not as requests are sent. */
  exchange?(signal: AbortSignal): Promise<Exchange>
}

/** Packs request items, given in the order of their events, as the destination allows. Keeps the order of each user. */
export function packItems<T extends DeliverableEvent>(
  items: readonly RequestItem<T>[],
  definition: Pick<DestinationDefinition, 'batch'>,
  settings: JsonObject,
): readonly RequestBatch<T>[] {
  if (!definition.batch || items.length === 1) return items.map((item) => ({ request: item.request, items: [item] }))
  const groups = groupByEvent(items)
  const entries = groups.map((group, index) => entryOf(group, index))
  return batchEntries(definition, entries, settings, { keepsOrder: true }).flatMap(({ requests, parts }) =>
    requests.map((request, i) => ({
      request,
      items: (parts[i] ?? []).flatMap((part) => groups[part.index]?.[part.request] ?? []),
    })),
  )
}

/** The request items of one event. */
type Group<T extends DeliverableEvent> = [RequestItem<T>, ...RequestItem<T>[]]

function groupByEvent<T extends DeliverableEvent>(items: readonly RequestItem<T>[]): readonly Group<T>[] {
  const groups = new Map<EventDelivery<T>, Group<T>>()
  for (const item of items) {
    const group = groups.get(item.delivery)
    if (group) group.push(item)
    else groups.set(item.delivery, [item])
  }
  return [...groups.values()]
}

/** An event that was tried before shares no batch: it may be the one that makes batches fail. */
function entryOf<T extends DeliverableEvent>(group: Group<T>, index: number): BatchEntry {
  const { delivery } = group[0]
  const { userKey, event } = delivery.item
  const requests = group.map(({ request }) => request)
  return { index, userKey, event, requests, isAlone: delivery.wasTried }
}
