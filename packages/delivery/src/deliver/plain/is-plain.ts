import type { DestinationDefinition } from '@sluice/destinations'
import type { DeliverableEvent } from '../event-delivery.ts'

/** Whether each request of a destination is one HTTP request, or one for a sink, as it is, and holds one event. */
export function sendsPlainly({ batch, account, action, nextCall, load }: Partial<DestinationDefinition>): boolean {
  return !batch && !account && !action && !nextCall && !load
}

/**
 * Whether all events of a batch take the plain way (see `PlainRun`): each is sent for the first time, in one request that
 * needs no answer before it, and waits behind no other event of its user.
 */
export function arePlain(
  batch: readonly DeliverableEvent[],
  deferring: { isHeld(userKey: string): boolean } | undefined,
): boolean {
  return batch.every(
    ({ requests, open, history, userKey }) =>
      requests.length === 1 &&
      open === undefined &&
      history === undefined &&
      requests[0]?.type !== 'ACTION' &&
      !deferring?.isHeld(userKey),
  )
}
