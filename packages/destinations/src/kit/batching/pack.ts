import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { Batch, BatchEntry, BatchPart, BatchRule } from './batch.ts'

/** One request of one event. */
export interface PackItem extends Omit<BatchEntry, 'requests'> {
  readonly request: DeliveryRequest
}

/** How the requests of a destination go together. */
export interface PackRule {
  /** Requests of different keys never share a batch. Left out, all may. */
  readonly key?: (item: PackItem, settings: JsonObject) => string
  /** Of a batch; where it depends, its first item decides. */
  readonly itemsMax: number | ((settings: JsonObject, first: PackItem) => number)
  /** Of the JSON texts of the bodies together. Left out, size does not matter. An item larger than this goes alone. */
  readonly bytesMax?: number
  /** False where no item can make a batch fail for the others: what failed before may then go with others again. */
  readonly canSpoil?: false
  /** One request for all of them. Called with at least one item. */
  readonly merge: (items: readonly PackItem[], settings: JsonObject) => DeliveryRequest
}

/**
 * Makes a batch rule that fills batch after batch in the order of the events. Batches come out in the order of their
 * first item.
 */
export function pack({
  key = () => '',
  itemsMax,
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
    // Where each user was last put: behind that, an earlier batch is closed to them.
    const lastOf = new Map<string, number>()
    for (const { requests, ...entry } of entries) {
      for (const [place, request] of requests.entries()) {
        const item = { ...entry, request }
        const part = { index: entry.index, request: place }
        const isAlone = item.isAlone && canSpoil !== false
        const group = `${isAlone ? `alone ${item.index}` : 'shared'} ${key(item, settings)}`
        const bytes = bytesMax === Number.POSITIVE_INFINITY ? 0 : byteLength(request)
        const filling = open.get(group)
        const isLate = limits?.keepsOrder && filling && filling.number < (lastOf.get(item.userKey) ?? 0)
        if (filling && !isLate && filling.items.length < filling.limit && filling.bytes + bytes <= bytesMax) {
          filling.items.push(item)
          filling.parts.push(part)
          filling.bytes += bytes
          lastOf.set(item.userKey, filling.number)
        } else {
          const opened = { number: all.length, items: [item], parts: [part], bytes, limit: limitOf(item) }
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
}

function byteLength({ body }: DeliveryRequest): number {
  return Buffer.byteLength(body.JSON_ARRAY.batch ?? JSON.stringify(body.JSON))
}
