import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../delivery-request.ts'
import type { Batch, BatchEntry, BatchRule } from './batch.ts'

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
  /** One request for all of them. Called with at least one item. */
  readonly merge: (items: readonly PackItem[], settings: JsonObject) => DeliveryRequest
}

/**
 * Makes a batch rule that fills batch after batch in the order of the events. Batches come out in the order of their
 * first item.
 */
export function pack({ key = () => '', itemsMax, bytesMax = Number.POSITIVE_INFINITY, merge }: PackRule): BatchRule {
  return (entries, settings, limits) => {
    const limitOf = (first: PackItem): number => {
      const own = typeof itemsMax === 'number' ? itemsMax : itemsMax(settings, first)
      return Math.min(own, limits?.itemsMax ?? own)
    }
    const open = new Map<string, { items: PackItem[]; bytes: number; limit: number }>()
    const all: PackItem[][] = []
    for (const { requests, ...entry } of entries) {
      for (const request of requests) {
        const item = { ...entry, request }
        const group = `${item.isAlone ? `alone ${item.index}` : 'shared'} ${key(item, settings)}`
        const bytes = bytesMax === Number.POSITIVE_INFINITY ? 0 : byteLength(request)
        const filling = open.get(group)
        if (filling && filling.items.length < filling.limit && filling.bytes + bytes <= bytesMax) {
          filling.items.push(item)
          filling.bytes += bytes
        } else {
          const items = [item]
          open.set(group, { items, bytes, limit: limitOf(item) })
          all.push(items)
        }
      }
    }
    return all.map(
      (items): Batch => ({
        requests: [merge(items, settings)],
        indexes: [...new Set(items.map(({ index }) => index))],
        items: [items.map(({ index }) => index)],
        batched: true,
      }),
    )
  }
}

function byteLength({ body }: DeliveryRequest): number {
  return Buffer.byteLength(body.JSON_ARRAY.batch ?? JSON.stringify(body.JSON))
}
