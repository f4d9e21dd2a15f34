import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { Batch, BatchEntry, BatchPart, BatchRule } from './batch-rule.ts'

/** One request of one event. */
export interface PackItem extends Omit<BatchEntry, 'requests'> {
  readonly request: DeliveryRequest
}

/** How the requests of a destination are packed. */
export interface PackRule {
  /** Requests with different keys never share a batch. Default: one key for all. */
  readonly key?: (item: PackItem, settings: JsonObject) => string
  /** Largest number of items in a batch. A function is called with the first item. */
  readonly itemsMax: number | ((settings: JsonObject, first: PackItem) => number)
  /** What an item counts towards `itemsMax`, when a request can contain several of the product's items. Default: 1. */
  readonly weigh?: (item: PackItem) => number
  /** Largest size of all bodies as JSON, in bytes. Default: no limit. A larger item is sent alone. */
  readonly bytesMax?: number
  /** Whether an item can make a batch fail for others. When false, events that failed before are packed with others. */
  readonly canSpoil?: false
  /** Returns one request for all items. Called with at least one item. */
  readonly merge: (items: readonly PackItem[], settings: JsonObject) => DeliveryRequest
}

/**
 * Creates a batch rule that fills batches in the order of the events. The batches are in the order of their first
 * items.
 */
export function pack({
  key = () => '',
  itemsMax,
  weigh = () => 1,
  bytesMax = Number.POSITIVE_INFINITY,
  canSpoil,
  merge,
}: PackRule): BatchRule {
  return (entries, settings, limits) => {
    const limitOf = (first: PackItem): number => {
      const own = typeof itemsMax === 'number' ? itemsMax : itemsMax(settings, first)
      return Math.min(own, limits?.itemsMax ?? own)
    }
    const open = new Map<string, Filling>()
    const all: Filling[] = []
    // The last batch of each user. Later requests of the user must not go into an earlier batch.
    const lastOf = new Map<string, number>()
    for (const { requests, ...entry } of entries) {
      for (const [place, request] of requests.entries()) {
        const item = { ...entry, request }
        const part = { index: entry.index, request: place }
        const isAlone = item.isAlone && canSpoil !== false
        const group = `${isAlone ? `alone ${item.index}` : 'shared'} ${key(item, settings)}`
        const bytes = bytesMax === Number.POSITIVE_INFINITY ? 0 : byteLength(request)
        const filling = open.get(group)
        const weight = weigh(item)
        const isLate = limits?.keepsOrder && filling && filling.number < (lastOf.get(item.userKey) ?? 0)
        const isRoomy = filling && filling.weight + weight <= filling.limit && filling.bytes + bytes <= bytesMax
        if (isRoomy && !isLate) {
          filling.items.push(item)
          filling.parts.push(part)
          filling.bytes += bytes
          filling.weight += weight
          lastOf.set(item.userKey, filling.number)
        } else {
          const opened = { number: all.length, items: [item], parts: [part], bytes, weight, limit: limitOf(item) }
          open.set(group, opened)
          all.push(opened)
          lastOf.set(item.userKey, opened.number)
        }
      }
    }
    return all.map(
      ({ items, parts }): Batch => ({
        requests: [merge(items, settings)],
        indexes: [...new Set(items.map(({ index }) => index))],
        parts: [parts],
        batched: true,
      }),
    )
  }
}

interface Filling {
  readonly number: number
  readonly items: PackItem[]
  readonly parts: BatchPart[]
  readonly limit: number
  bytes: number
  weight: number
}

function byteLength({ body }: DeliveryRequest): number {
  return Buffer.byteLength(body.JSON_ARRAY.batch ?? JSON.stringify(body.JSON))
}
