import type { Clock } from '@sluice/core'
import type { DeliverableEvent, EventDelivery } from './event-delivery.ts'

/** Postpones events that could not be delivered; the caller passes them to a later call. Without it they fail. */
export interface Deferring {
  /** Milliseconds since its first attempt after which an event fails, ... */
  readonly windowMs: number
  /** ... provided that so many attempts were made. */
  readonly attemptsMin: number
  /** Whether an earlier event of this user is postponed: later ones must not overtake it. */
  isHeld(userKey: string): boolean
  /**
   * Called once per call of `send`. When the signal aborts, nothing of that call waits any longer for a retry or for the
   * destination: it is postponed.
   */
  drain?(): AbortSignal
}

/** Returns whether an event has been tried for long enough, and often enough, to fail. */
export function isOverdue(
  { firstTriedAt, attempts }: EventDelivery<DeliverableEvent>,
  deferring: Deferring | undefined,
  clock: Pick<Clock, 'now'>,
): boolean {
  if (!deferring || firstTriedAt === undefined) return false
  return attempts >= deferring.attemptsMin && clock.now() - firstTriedAt >= deferring.windowMs
}

/** How long events that cannot be postponed wait for a destination that accepts nothing. The longest wait for a probe. */
const waitMsMax = 60_000

/**
 * Returns until when the events of request items may wait for a destination that accepts nothing, in milliseconds since the epoch.
 * @param failingSince since when it accepts nothing; left out while it works.
 */
export function waitUntil(
  items: readonly { readonly delivery: EventDelivery<DeliverableEvent> }[],
  deferring: Deferring | undefined,
  failingSince: number | undefined,
): number {
  if (failingSince === undefined) return Number.POSITIVE_INFINITY
  const starts = items.map(
    ({ delivery: { firstTriedAt, item } }) => firstTriedAt ?? Math.max(failingSince, item.receivedAt ?? failingSince),
  )
  return Math.max(...starts) + (deferring?.windowMs ?? waitMsMax)
}
