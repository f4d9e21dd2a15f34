import type { CountKind } from './counter-store.ts'

/**
 * What is measured beside the counters. Kept in memory for the current minute, so a crash loses at most that:
 * `retried` events that were tried again, `bytes` of bodies received, `answered` requests of a destination by status,
 * `oldestWaiting` the age of the oldest event that waits, in milliseconds, and delays by bucket: `deliveryMs` from receipt
 * to delivery, `answerMs` of the answers of a destination, `loadMs` of loads into a warehouse.
 */
type HistoryMeasure = 'retried' | 'bytes' | 'answered' | 'oldestWaiting' | 'deliveryMs' | 'answerMs' | 'loadMs'

export type HistoryKind = CountKind | HistoryMeasure

/** An amount of one series. Like a `CountDelta`: no member holds a value of an event or an id of a person. */
export interface HistoryRow {
  readonly workspaceId: string
  /** '' for what belongs to no source. */
  readonly sourceId: string
  /** '' for what belongs to the source itself. */
  readonly destinationId: string
  readonly kind: HistoryKind
  /** As in `CountDelta`; the status of `answered`, and the bucket of a delay: see `delayBoundsMs`. */
  readonly reason: string
  /** 1 or more. */
  readonly count: number
}

/** An amount of one series in one slot. */
export interface HistorySlot extends HistoryRow {
  /** Start of the slot, in milliseconds since the epoch. */
  readonly at: number
}

export interface HistoryQuery {
  readonly workspaceId: string
  /** Milliseconds since the epoch, inclusive; a multiple of `everyMs`. */
  readonly since: number
  /** Milliseconds since the epoch, exclusive; a multiple of `everyMs`. */
  readonly until: number
  /** Length of the slots to return: a multiple of the length of those that are read. */
  readonly everyMs: number
  /** Length of the slots that are read: one of `historyKept`. */
  readonly fromMs: number
  /** Only these; default all. */
  readonly kinds?: readonly HistoryKind[]
}

/** What was counted over time. */
export interface HistoryStore {
  /**
   * Moves what the counters have gained since the last call into the slots of `at`, one of each length, in one transaction,
   * for all workspaces: all that was ever moved, plus what `read` returns as `unmoved`, is what the counters say.
   * Calls of several processes add to each other.
   * @param at milliseconds since the epoch.
   */
  snap(at: number): Promise<void>
  /**
   * Adds amounts to the slots of `at`, one of each length, all of them or none.
   * @param writeId of a call that is tried again until it succeeds: its amounts are added once.
   */
  add(at: number, rows: readonly HistoryRow[], writeId?: string): Promise<void>
  /** Returns what is in the slots, and what the counters have gained since the last `snap`, as they were at one moment. */
  read(query: HistoryQuery): Promise<HistoryRead>
  /**
   * Deletes slots that are too old, the oldest first; a store may leave some for the next call, which comes each
   * minute. @param now milliseconds since the epoch.
   */
  prune(now: number): Promise<void>
}

export interface HistoryRead {
  /** In order of time; slots without events are left out. */
  readonly slots: readonly HistorySlot[]
  readonly unmoved: readonly HistoryRow[]
}

export const minuteMs = 60_000
export const quarterMs = 900_000
export const hourMs = 3_600_000

/** How long the slots of each length are kept, in milliseconds; the shortest first. Each length is a multiple of the one before. */
export const historyKept: readonly { readonly everyMs: number; readonly keptMs: number }[] = [
  { everyMs: minuteMs, keptMs: 48 * hourMs },
  { everyMs: quarterMs, keptMs: 14 * 24 * hourMs },
  { everyMs: hourMs, keptMs: 90 * 24 * hourMs },
]

/** Returns the length of the kept slots from which those of this length are added up: the longest that fits, so that few are read. */
export function keptLengthFor(everyMs: number): number {
  return historyKept.findLast((kept) => everyMs % kept.everyMs === 0)?.everyMs ?? minuteMs
}

/** Returns the start of the slot that a time is in. Slots begin at multiples of their length since the epoch, so days are those of UTC. */
export function slotOf(at: number, everyMs: number): number {
  return Math.floor(at / everyMs) * everyMs
}
