import type { JsonObject } from '@sluice/core'
import { createSecretMask, type DeliveryRequest, type DestinationDefinition } from '@sluice/destinations/kit'
import type { DeliverableEvent } from './event-delivery.ts'
import type { Exchange } from './exchange.ts'
import { createExchangeView } from './replies/exchange-view.ts'

/** Sees requests that were accepted, as people may see them. */
export interface DeliveredWatch<T extends DeliverableEvent> {
  /** Whether the next one is wanted. Called for each event, so it must be quick. */
  wants(): boolean
  /** @param detail the request with its secrets masked, `status`, `attempts`, and the beginning of the `reply`. */
  delivered(event: T, detail: JsonObject): void
}

/** Shows one accepted request to the watch. @param attempts how often it was sent. */
export type ShowDelivered<T> = (event: T, request: DeliveryRequest, exchange: Exchange, attempts: number) => void

/** Returns what shows accepted requests to a watch; undefined without one, or where it is not known what is secret. */
export function createShowDelivered<T extends DeliverableEvent>(
  watch: DeliveredWatch<T> | undefined,
  destination: { readonly definition: DestinationDefinition; readonly settings: JsonObject } | undefined,
): ShowDelivered<T> | undefined {
  if (watch === undefined || destination === undefined) return undefined
  const view = createExchangeView(createSecretMask(destination.definition, destination.settings))
  return (event, request, { sent, result, steps, tokens }, attempts) => {
    if (!watch.wants()) return
    watch.delivered(event, view({ request, sent, result, steps, tokens, attempts }).detail)
  }
}
