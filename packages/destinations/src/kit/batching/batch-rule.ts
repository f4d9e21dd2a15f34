import type { Event, JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'

/** Requests of one event, to be packed into batches. */
export interface BatchEntry {
  /** Index of the event in the input. */
  readonly index: number
  /** Requests with the same key stay in order. */
  readonly userKey: string
  readonly event: Event
  readonly requests: readonly DeliveryRequest[]
  /** True after a batch with the event failed as a whole. It then shares no batch with others. */
  readonly isAlone?: boolean
}

/** Requests that are sent together, and the events they are for. */
export interface Batch {
  readonly requests: readonly DeliveryRequest[]
  /** Indexes of its events, ascending. An event may be in several batches. */
  readonly indexes: readonly number[]
  /** For each request, the parts it carries, in the order of its items. `Verdict.items` has the same order. */
  readonly parts: readonly (readonly BatchPart[])[]
  /** Whether the events of a batch share requests; false when each event keeps its own. */
  readonly batched: boolean
}

/** One request of an event: `index` of the event, and the index of the request in its entry. */
export interface BatchPart {
  readonly index: number
  readonly request: number
}

/** Limits of the caller in addition to those of the definition. */
export interface BatchLimits {
  /** Maximum of event requests in a batch. */
  readonly itemsMax?: number
  /** Whether sending the batches in order must keep each user's requests in order. Default false, like RudderStack. */
  readonly keepsOrder?: boolean
}

/**
 * Packs entries, given in the order of their events, into batches. Pure.
 *
 * @param settings complete, with unresolved templates. Values that an event may decide, such as a key or an address,
 * must be read from its requests.
 */
export type BatchRule = (entries: readonly BatchEntry[], settings: JsonObject, limits?: BatchLimits) => readonly Batch[]
