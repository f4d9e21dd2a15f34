import type { Event, JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'

/** Requests of one event, to be packed into batches. */
export interface BatchEntry {
  /** Index of the event in the input. */
  readonly index: number
  /** User of the event. Requests with the same key stay in order. */
  readonly userKey: string
  readonly event: Event
  readonly requests: readonly DeliveryRequest[]
  /** Whether a batch with the event has failed as a whole. The event then shares no batch with others. */
  readonly isAlone?: boolean
}

/** Requests that are sent together, and the events they are for. */
export interface Batch {
  readonly requests: readonly DeliveryRequest[]
  /** Indexes of its events, ascending. An event may be in several batches. */
  readonly indexes: readonly number[]
  /** For each request, the parts it contains, in the order of its items. `Verdict.items` has the same order. */
  readonly parts: readonly (readonly BatchPart[])[]
  /** Whether events of the batch share requests; false when each event keeps its own. */
  readonly batched: boolean
}

/**
 * One request of one event: the index of the event in the input, and the index of the request in the entry of the
 * event.
 */
export interface BatchPart {
  readonly index: number
  readonly request: number
}

/** Limits of the caller in addition to those of the definition. */
export interface BatchLimits {
  /** Largest number of event requests in a batch. */
  readonly itemsMax?: number
  /** Whether sending the batches in order must keep each user's requests in order. Default false, like RudderStack. */
  readonly keepsOrder?: boolean
}

/**
 * A rule that packs entries, given in the order of their events, into batches. Pure.
 *
 * @param settings complete, with unresolved templates. A value that an event may decide, such as a key or an address,
 * must be read from the requests of the event.
 */
export type BatchRule = (entries: readonly BatchEntry[], settings: JsonObject, limits?: BatchLimits) => readonly Batch[]
