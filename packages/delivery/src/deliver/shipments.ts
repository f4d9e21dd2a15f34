import type { JsonObject } from '@sluice/core'
import { type BatchEntry, batchEntries, type DeliveryRequest, type DestinationDefinition } from '@sluice/destinations'
import type { DeliverableEvent, Parcel } from './parcel.ts'

/** One request of one event. */
export interface Part<T extends DeliverableEvent> {
  readonly parcel: Parcel<T>
  /** Among the requests of its event. */
  readonly place: number
  readonly request: DeliveryRequest
}

/** One request on its way, made of one part or of many. */
export interface Shipment<T extends DeliverableEvent> {
  readonly request: DeliveryRequest
  /** In the order of the items of the request. */
  readonly parts: readonly Part<T>[]
}

/** Packs parts, given in the order of their events, as the destination allows; the order of each user's is kept. */
export function packParts<T extends DeliverableEvent>(
  parts: readonly Part<T>[],
  definition: Pick<DestinationDefinition, 'batch'>,
  settings: JsonObject,
): readonly Shipment<T>[] {
  if (!definition.batch || parts.length === 1) return parts.map((part) => ({ request: part.request, parts: [part] }))
  const groups = groupByParcel(parts)
  const entries = groups.map((group, index) => entryOf(group, index))
  return batchEntries(definition, entries, settings, { keepsOrder: true }).flatMap(({ requests, parts: carried }) =>
    requests.map((request, i) => ({
      request,
      parts: (carried[i] ?? []).flatMap((part) => groups[part.index]?.[part.request] ?? []),
    })),
  )
}

/** The parts of one event. */
type Group<T extends DeliverableEvent> = [Part<T>, ...Part<T>[]]

function groupByParcel<T extends DeliverableEvent>(parts: readonly Part<T>[]): readonly Group<T>[] {
  const groups = new Map<Parcel<T>, Group<T>>()
  for (const part of parts) {
    const group = groups.get(part.parcel)
    if (group) group.push(part)
    else groups.set(part.parcel, [part])
  }
  return [...groups.values()]
}

/** An event that was tried before shares no batch: it may be what spoils them. */
function entryOf<T extends DeliverableEvent>(group: Group<T>, index: number): BatchEntry {
  const { parcel } = group[0]
  const { userKey, event } = parcel.item
  const requests = group.map(({ request }) => request)
  return { index, userKey, event, requests, isAlone: parcel.wasTried }
}
