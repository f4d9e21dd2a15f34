import { InvariantError, type Outcome } from '@sluice/core'
import type { DeliverableEvent, Delivery } from './event-delivery.ts'

/** The stage that receipts, dead letters, traces and metrics name for what happens while requests are sent. */
export const deliverStageName = 'deliver'

/** How a caller stops sending, and hears what became of each event. */
export interface SendCall {
  /** Aborts when the pipeline stops: nothing is waited for any more, and what was heard is to be discarded. */
  readonly signal: AbortSignal
  /** Called once for each event, given by its index, as soon as its outcome is known: its neighbours may still wait. */
  settled(index: number, outcome: Outcome<Delivery>): void
}

/**
 * Sends the requests of events. Resolves once all have settled. Rejects when the sender itself is broken, or with the
 * reason of the signal: then some have not settled.
 */
export type Send<T extends DeliverableEvent = DeliverableEvent> = (batch: readonly T[], call: SendCall) => Promise<void>

/** Sends events and waits for all of them. @returns one outcome for each, in the order given. @throws as `send`. */
export async function sendAll<T extends DeliverableEvent>(
  send: Send<T>,
  batch: readonly T[],
  signal: AbortSignal,
): Promise<readonly Outcome<Delivery>[]> {
  const outcomes = new Map<number, Outcome<Delivery>>()
  await send(batch, { signal, settled: (index, outcome) => outcomes.set(index, outcome) })
  return batch.map((_, index) => {
    const outcome = outcomes.get(index)
    if (outcome === undefined) throw new InvariantError(`nothing is known of event ${index} though sending is over`)
    return outcome
  })
}
