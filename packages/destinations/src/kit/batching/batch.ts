import type { Event, JsonObject } from '@sluice/core'
import type { DestinationDefinition, MappingContext } from '../define/define-destination.ts'
import { type Ask, isAsk } from '../map/ask.ts'
import { mapEvent } from '../map/map-event.ts'
import { isMappingError, type MappingError } from '../map/mapping-error.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { Batch, BatchEntry, BatchLimits } from './batch-rule.ts'

export interface BatchInput {
  readonly event: Event
  /** User of the event. Requests with the same key stay in order. */
  readonly userKey: string
  readonly context: MappingContext
  /** See `BatchEntry`. */
  readonly isAlone?: boolean
}

/** Result of `batchEvents`. Every event is in a batch, or has an error or a question, or has nothing to send. */
export interface BatchedEvents {
  readonly batches: readonly Batch[]
  readonly errors: readonly { readonly index: number; readonly error: MappingError }[]
  /** Events that cannot be mapped before a question is answered. */
  readonly asks: readonly { readonly index: number; readonly ask: Ask }[]
}

/**
 * Maps events of one destination and packs their requests into as few requests as the destination allows. A bad event
 * fails alone. Without `batch` in the definition, each event is sent by itself.
 *
 * @param settings complete settings, as returned by `parseSettings`.
 */
export function batchEvents(
  definition: DestinationDefinition,
  inputs: readonly BatchInput[],
  settings: JsonObject,
  limits?: BatchLimits,
): BatchedEvents {
  const entries: BatchEntry[] = []
  const errors: BatchedEvents['errors'][number][] = []
  const asks: BatchedEvents['asks'][number][] = []
  for (const [index, { context, ...input }] of inputs.entries()) {
    const requests = mapEvent(definition, input.event, settings, context)
    if (isMappingError(requests)) errors.push({ index, error: requests })
    else if (isAsk(requests)) asks.push({ index, ask: requests })
    else if (requests.length > 0) entries.push({ index, ...input, requests })
  }
  return { batches: batchEntries(definition, entries, settings, limits), errors, asks }
}

/** Packs the requests of events that are already mapped. */
export function batchEntries(
  definition: Pick<DestinationDefinition, 'batch'>,
  entries: readonly BatchEntry[],
  settings: JsonObject,
  limits?: BatchLimits,
): readonly Batch[] {
  return definition.batch ? definition.batch(entries, settings, limits) : eachAlone(entries)
}

/** The batch rule of destinations that accept one event at a time. */
export function eachAlone(entries: readonly BatchEntry[]): readonly Batch[] {
  return entries.map(({ index, requests }) => ({
    requests: requests.map(withoutEmptyUser),
    indexes: [index],
    parts: requests.map((_, request) => [{ index, request }]),
    batched: false,
  }))
}

/** Returns the request as part of a batch: batches have no user, unless the destination names one. */
function withoutEmptyUser(request: DeliveryRequest): DeliveryRequest {
  if (request.userId !== '') return request
  const { userId: _, ...others } = request
  return others
}
