import type { DeliverableEvent, EventDelivery } from '../event-delivery.ts'
import type { Exchange } from '../exchange.ts'

/** One attempt to deliver an event, without anything of its request or reply. */
export interface DeliveryTry {
  /** When it began, in milliseconds since the epoch. */
  readonly at: number
  /** Of the reply; absent where there was none. */
  readonly status?: number
  /** Why there was no reply, such as `ECONNREFUSED`. */
  readonly code?: string
  /** Milliseconds until it was answered, or given up. */
  readonly tookMs: number
}

/** Sees attempts of events that the first one did not deliver. */
export type TryWatch<T extends DeliverableEvent> = (event: T, made: DeliveryTry) => void

/** Shows an attempt at an event, unless it is the first one and delivers the event. @param place of the event in the reply. */
export function showTry<T extends DeliverableEvent>(
  watch: TryWatch<T>,
  { item, attempts }: EventDelivery<T>,
  { result, judgement }: Exchange,
  place: number,
  { at, tookMs }: Pick<DeliveryTry, 'at' | 'tookMs'>,
): void {
  const own = judgement.items?.[place]
  if ((own ?? judgement).outcome === 'delivered' && attempts <= 1) return
  if (result.kind === 'reply') watch(item, { at, status: own?.status ?? result.status, tookMs })
  else watch(item, { at, code: result.code, tookMs })
}
