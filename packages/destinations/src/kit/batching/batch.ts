import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition, MappingContext } from '../define/define-destination.ts'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import { mapEvent } from '../map/map-event.ts'
import { isMappingError, type MappingError } from '../map/mapping-error.ts'

/** What one event became, on its way into batches. */
export interface BatchEntry {
  /** Of the event, in what was given. */
  readonly index: number
  /** Requests of the same user stay in order. */
  readonly userKey: string
  readonly event: Event
  readonly requests: readonly DeliveryRequest[]
  /** True after a batch with it failed as a whole: it shares no batch with others again. */
  readonly isAlone?: boolean
}

/** What is sent together, and for which events. */
export interface Batch {
  readonly requests: readonly DeliveryRequest[]
  /** Of the events it carries, rising. One event may be in several batches. */
  readonly indexes: readonly number[]
  /**
   * For each request, which requests of which events it carries, in the order of its items: what the items of a verdict
   * are about.
   */
  readonly parts: readonly (readonly BatchPart[])[]
  /** Whether the events of a batch share requests; false where an event simply keeps its own. */
  readonly batched: boolean
}

/** A request of an event, by its place in the entry of that event. */
export interface BatchPart {
  readonly index: number
  readonly request: number
}

/** What whoever sends may ask for beyond the limits a definition keeps anyway. */
export interface BatchLimits {
  /** How many requests of events a batch may carry. */
  readonly itemsMax?: number
  /** Whether batches sent in their order keep the requests of each user in order; default false, as in RudderStack. */
  readonly keepsOrder?: boolean
}

/**
 * Makes batches of entries, which are given in the order of their events. Pure.
 * @param settings complete, but as they are before an event resolves them: what an event may decide (a key, an address) is
 * to be read from its requests.
 */
export type BatchRule = (entries: readonly BatchEntry[], settings: JsonObject, limits?: BatchLimits) => readonly Batch[]

export interface BatchInput {
  readonly event: Event
  /** Requests of the same user stay in order. */
  readonly userKey: string
  readonly context: MappingContext
  /** See `BatchEntry`. */
  readonly isAlone?: boolean
}

/** Every event is in at least one batch, or has an error, or had nothing to send. */
export interface BatchedEvents {
  readonly batches: readonly Batch[]
  readonly errors: readonly { readonly index: number; readonly error: MappingError }[]
}

/**
 * Maps events of one destination and packs what they become into as few requests as the destination allows. A bad event
 * fails alone. A definition without a `batch` sends each event by itself.
 *
 * @param settings complete: as `parseSettings` gives them.
 */
export function batchEvents(
  definition: DestinationDefinition,
  inputs: readonly BatchInput[],
  settings: JsonObject,
  limits?: BatchLimits,
): BatchedEvents {
  const entries: BatchEntry[] = []
  const errors: BatchedEvents['errors'][number][] = []
  for (const [index, { context, ...input }] of inputs.entries()) {
    const requests = mapEvent(definition, input.event, settings, context)
    if (isMappingError(requests)) errors.push({ index, error: requests })
    else if (requests.length > 0) entries.push({ index, ...input, requests })
  }
  return { batches: batchEntries(definition, entries, settings, limits), errors }
}

/** Packs what was mapped before. */
export function batchEntries(
  definition: Pick<DestinationDefinition, 'batch'>,
  entries: readonly BatchEntry[],
  settings: JsonObject,
  limits?: BatchLimits,
): readonly Batch[] {
  return definition.batch ? definition.batch(entries, settings, limits) : eachAlone(entries)
}

/** The batch rule of destinations that take one event at a time. */
export function eachAlone(entries: readonly BatchEntry[]): readonly Batch[] {
  return entries.map(({ index, requests }) => ({
    requests,
    indexes: [index],
    parts: requests.map((_, request) => [{ index, request }]),
    batched: false,
  }))
}
