import type { SourcedEvent, StageError } from '@sluice/core'
import type { DeliveryTry } from '@sluice/delivery'
import type { DeferredEvent, DeferredOutput } from '../deferred-event.ts'
import type { CountDelta } from './counter-store.ts'

/** An event that failed at a destination, with all that is needed to understand it, and to try again. */
export interface DeadLetter {
  /** UUID, growing with time. */
  readonly id: string
  readonly workspaceId: string
  readonly destinationId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The stage it failed in. */
  readonly stage: string
  /** Why. Its detail tells the request, its secrets masked, and the beginning of the reply, where there were any. */
  readonly error: StageError
  /** Its newest tries, the last one at the end, at most ten; absent where the first one delivered it, and without any. */
  readonly tries?: readonly DeliveryTry[]
  /** As it was accepted, and the other accepted events that its outputs may have been made of. */
  readonly source: SourcedEvent
  /** What was not delivered of it; left out, all of it, from the user transformation on. */
  readonly outputs?: readonly DeferredOutput[]
  readonly userKeys: readonly string[]
}

/** What dead letters there may be, over all workspaces: beyond it, those with most give up their oldest. */
export interface DeadLetterLimits {
  readonly lettersMax: number
  /** Of their JSON texts. */
  readonly bytesMax: number
  readonly ageMsMax: number
}

/** How many dead letters there are, of one workspace or of all. */
export interface DeadLetterUsage {
  readonly letters: number
  readonly bytes: number
  /** Of the limit that is nearer; where that of all workspaces is 1, the oldest of the workspace with most make room. */
  readonly share: number
}

/** Which dead letters: those that match every member that is given. */
export interface DeadLetterFilter {
  readonly destinationId?: string
  readonly sourceId?: string
  /** As cleaned text: see `identifierText`. */
  readonly userId?: string
  readonly code?: string
  /** The message of the error, or the `reason` of a group. */
  readonly reason?: string
  /** Milliseconds since the epoch: failed at this time or later, and before `until`. */
  readonly since?: number
  readonly until?: number
}

export interface DeadLetterQuery extends DeadLetterFilter {
  /** The id of the last one seen. */
  readonly after?: string
  /** Newest first instead of oldest first. */
  readonly newestFirst?: boolean
  /** 1 or more. */
  readonly limit: number
  /** Size of the letters together, as they are stored; the first one is returned whatever its size. Default: no limit. */
  readonly bytesMax?: number
}

/** Dead letters of one destination with the same code and reason. */
export interface DeadLetterGroup {
  readonly destinationId: string
  readonly code: string
  /** The beginning of the message, personal data masked. */
  readonly reason: string
  readonly count: number
  /** Times of the oldest and newest failure, in milliseconds since the epoch. */
  readonly first: number
  readonly last: number
  /** The largest id. */
  readonly newestId: string
}

/** How many dead letters of a group failed within one slot of time. */
export interface DeadLetterSlot extends Pick<DeadLetterGroup, 'destinationId' | 'code' | 'reason' | 'count'> {
  /** From 0: the slot that begins `slot` times `everyMs` after `since`. */
  readonly slot: number
}

/** Slots of time, in milliseconds; `since` since the epoch. */
export interface DeadLetterSlots {
  readonly since: number
  readonly everyMs: number
  /** Number of slots, at most some hundred. */
  readonly count: number
}

/**
 * Dead letters are written through `EventLog.commit` and `RetryStore.commit`. Where a limit is exceeded the oldest of the
 * workspaces with most are forgotten (see `fairLevel`), and counted as `forgotten` in the same transaction: a workspace
 * with no more than an equal part of the limit loses none to another.
 */
export interface DeadLetterStore {
  readonly limits: DeadLetterLimits
  /** In the order in which they came, or the reverse. */
  list(workspaceId: string, query: DeadLetterQuery): Promise<readonly DeadLetter[]>
  /** Returns ids in the order in which the letters came, at most `limit`. */
  ids(workspaceId: string, filter: DeadLetterFilter, limit: number): Promise<readonly string[]>
  /** Returns the largest groups first, at most `limit`. */
  groups(workspaceId: string, limit: number): Promise<readonly DeadLetterGroup[]>
  /** Counts the letters of each group by the slot in which they failed; slots without any are left out. In no order. */
  slots(workspaceId: string, slots: DeadLetterSlots): Promise<readonly DeadLetterSlot[]>
  find(workspaceId: string, id: string): Promise<DeadLetter | undefined>
  /** The dead letters of events with a message id, in the order in which they came, at most `limit`. */
  ofMessage(workspaceId: string, messageId: string, limit: number): Promise<readonly DeadLetter[]>
  /**
   * Turns dead letters into deferred events, all of them or none. Dead letters that no longer exist are left out, together
   * with their event.
   * @param counts of one dead letter: added for each that was deferred.
   * @returns the events that are deferred now.
   */
  replay(
    workspaceId: string,
    replays: readonly {
      readonly id: string
      readonly deferred: DeferredEvent
      readonly counts: readonly CountDelta[]
    }[],
  ): Promise<readonly DeferredEvent[]>
  /** @returns how many there were to be removed. */
  remove(workspaceId: string, ids: readonly string[]): Promise<number>
  /** Removes the dead letters of events that some users caused. @returns how many there were. */
  forgetUsers(workspaceId: string, userIds: readonly string[]): Promise<number>
  /** Of one workspace or, without one, of all. */
  usage(workspaceId?: string): Promise<DeadLetterUsage>
  /** Forgets what is older than `ageMsMax`. */
  forgetOld(): Promise<void>
}
