import type { JsonObject, JsonValue } from '@sluice/core'
import { utf8Length } from '@sluice/core/bytes'
import { text } from '../convert/text.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { Batch, BatchEntry, BatchPart, BatchRule } from './batch-rule.ts'

/** One request of one event. */
export interface PackItem extends Omit<BatchEntry, 'requests'> {
  readonly request: DeliveryRequest
}

/** The requests of one batch. */
export type PackItems = readonly [PackItem, ...PackItem[]]

/** How the requests of a destination are packed. */
export interface PackRule {
  /** Requests with different keys never share a batch. Default: one key for all. */
  readonly key?: (item: PackItem, settings: JsonObject) => string
  /** Largest number of items in a batch. A function is called with the first item. */
  readonly itemsMax: number | ((settings: JsonObject, first: PackItem) => number)
  /** What an item counts towards `itemsMax`, when a request can contain several of the product's items. Default: 1. */
  readonly weigh?: (item: PackItem) => number
  /** Largest size of all bodies as they are sent, in bytes. Default: no limit. A larger item is sent alone. */
  readonly bytesMax?: number
  /**
   * Largest number of elements of lists in a batch, by the name of the list in the JSON body. Default: no limit. An item
   * with a longer list is sent alone.
   */
  readonly listsMax?: Readonly<Record<string, number>>
  /** Whether an item can make a batch fail for others. When false, events that failed before are packed with others. */
  readonly canSpoil?: false
  /** Returns whether a request can be joined with others. Others are sent alone and unchanged. Default: all can. */
  readonly isJoinable?: (request: DeliveryRequest) => boolean
  /** Returns one request for all items. Most rules need `jointRequest` for it. */
  readonly merge: (items: PackItems, settings: JsonObject) => DeliveryRequest
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
  listsMax = {},
  canSpoil,
  isJoinable = () => true,
  merge,
}: PackRule): BatchRule {
  const lists = Object.entries(listsMax)
  const lengthsOf = ({ body }: DeliveryRequest): readonly number[] => lists.map(([name]) => lengthOf(body.JSON[name]))
  const hasRoom = (filling: Filling, { weight, bytes, lengths }: Load): boolean =>
    filling.weight + weight <= filling.limit &&
    filling.bytes + bytes <= bytesMax &&
    lists.every(([, max], index) => (filling.lengths[index] ?? 0) + (lengths[index] ?? 0) <= max)
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
        const isSingle = !isJoinable(request)
        const isAlone = item.isAlone && canSpoil !== false
        const group = `${isAlone ? `alone ${item.index}` : 'shared'} ${key(item, settings)}`
        const bytes = bytesMax === Number.POSITIVE_INFINITY ? 0 : byteLength(request)
        const load = { weight: weigh(item), bytes, lengths: lengthsOf(request) }
        const filling = isSingle ? undefined : open.get(group)
        const isLate = limits?.keepsOrder && filling && filling.number < (lastOf.get(item.userKey) ?? 0)
        if (filling && !isLate && hasRoom(filling, load)) {
          filling.items.push(item)
          filling.parts.push(part)
          addLoad(filling, load)
          lastOf.set(item.userKey, filling.number)
        } else {
          const opened: Filling = {
            number: all.length,
            items: [item],
            parts: [part],
            ...load,
            isSingle,
            limit: limitOf(item),
          }
          if (!isSingle) open.set(group, opened)
          all.push(opened)
          lastOf.set(item.userKey, opened.number)
        }
      }
    }
    return all.map(
      ({ items, parts, isSingle }): Batch => ({
        requests: [isSingle ? items[0].request : merge(items, settings)],
        indexes: [...new Set(items.map(({ index }) => index))],
        parts: [parts],
        batched: !isSingle,
      }),
    )
  }
}

/** What counts towards the limits of a batch. */
interface Load {
  weight: number
  bytes: number
  /** Lengths of the limited lists, in the order of `listsMax`. */
  lengths: readonly number[]
}

interface Filling extends Load {
  readonly number: number
  readonly items: [PackItem, ...PackItem[]]
  readonly parts: BatchPart[]
  readonly limit: number
  readonly isSingle: boolean
}

function addLoad(filling: Load, { weight, bytes, lengths }: Load): void {
  filling.weight += weight
  filling.bytes += bytes
  filling.lengths = filling.lengths.map((length, index) => length + (lengths[index] ?? 0))
}

function lengthOf(list: JsonValue | undefined): number {
  return Array.isArray(list) ? list.length : 0
}

/** Returns the size of a body in bytes. Source: packages/docs/behaviour/mapping.md#requests. */
function byteLength({ body: { JSON_ARRAY, XML, FORM, JSON: object } }: DeliveryRequest): number {
  const written = JSON_ARRAY.batch ?? XML.payload
  if (written !== undefined) return utf8Length(written)
  const fields = Object.entries(FORM)
  return fields.length > 0 ? formLength(fields) : utf8Length(JSON.stringify(object))
}

/** Returns the length of an encoded form, which has only ASCII characters. */
function formLength(fields: readonly (readonly [string, JsonValue | undefined])[]): number {
  const encoded = new URLSearchParams()
  for (const [name, value] of fields) {
    if (value !== null && value !== undefined) encoded.append(name, text(value))
  }
  return encoded.toString().length
}
