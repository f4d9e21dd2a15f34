import type { DeliverableEvent, EventDelivery } from './event-delivery.ts'

/** What the events of one call of `send` share. */
export interface DeliverCall {
  readonly signal: AbortSignal
  /** Ends all waits of the call when it aborts. */
  readonly drain?: AbortSignal
  /** Users with an event that was postponed in this call. */
  readonly postponedUsers: Set<string>
  /** Called with deliveries that may have ended, right after something was sent for them. */
  report(deliveries: readonly EventDelivery<DeliverableEvent>[]): void
  /** Left out where slow attempts are waited for. */
  readonly task?: AttemptWatch
}

/** A request on its way through its attempts, which may be handed over to the caller. */
export interface AttemptWatch {
  /** Whether no other attempt follows: the caller keeps the events, or the attempt is cut short. */
  readonly isLast: boolean
  /** Whether its attempt is cut short: the signal of its call has aborted. */
  readonly isCut: boolean
  /** An attempt began then, in milliseconds since the epoch. */
  began(at: number): void
  /** The attempt has ended. Does nothing when it had ended before. @param isAnswered whether there was a reply. */
  ended(isAnswered?: boolean): void
  /** Whether a wait of so many milliseconds before another attempt would make the events slow. A shorter one is counted. */
  waits(milliseconds: number): boolean
}
