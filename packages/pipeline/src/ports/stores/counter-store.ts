/**
 * What is counted, always in input events: per source `received` = `rejected` + `suppressed` + `duplicate` +
 * `accepted`; per source and destination `accepted` + `replayed` = `delivered` + `dropped` + `failed` + pending: an
 * event that failed and is replayed from the dead letters starts again. In addition, `forgotten` counts dead letters
 * that had to make room, `largeNumbers` accepted events with numbers that JSON cannot carry exactly, `invalidTimes` those with a timestamp
 * that is no time, `outputs` counts delivered requests, and `suppressed` with a destination holds the days of
 * those `dropped` there because a regulation came while they were on their way.
 * `violation` counts accepted events that violate the tracking plan of their source.
 * Source: packages/docs/architecture.md#the-laws.
 */
export const countKinds = [
  'received',
  'rejected',
  'suppressed',
  'duplicate',
  'accepted',
  'largeNumbers',
  'invalidTimes',
  'replayed',
  'delivered',
  'dropped',
  'failed',
  'forgotten',
  'outputs',
  'violation',
] as const

export type CountKind = (typeof countKinds)[number]

/** The name of events and the day on which they were received: by these, counts are kept for 90 days. */
export interface EventDay {
  /** Day of receipt in UTC, such as `2026-11-28`. */
  readonly day: string
  /** Type and name, such as `track Order Completed` or `page`. `''` for events that are counted without their name. */
  readonly name: string
}

/** An amount to add to a counter; counters are merged as deltas, never set. */
export interface CountDelta {
  readonly workspaceId: string
  readonly sourceId: string
  /** '' for the counters of the source itself. */
  readonly destinationId: string
  readonly kind: CountKind
  /**
   * Why (rejected, dropped, failed, forgotten), the day in UTC (suppressed), what of the plan (violation), '' where the kind needs none. Never a
   * value of an event.
   */
  readonly reason: string
  /** 1 or more. */
  readonly count: number
  /**
   * Set where events are counted by name and day, in addition to the counter without it. `accepted`, `replayed`,
   * `delivered`, `dropped` and `failed` are; `reason` is then what `OutcomeReason` says.
   */
  readonly named?: EventDay
}

/** An amount of one name and day. */
export type NamedCount = CountDelta & { readonly named: EventDay }

/** The day by which suppressed events are counted. @param at milliseconds since the epoch. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

export interface CounterStore {
  /**
   * Adds all of them or none.
   * @param writeId of a call that is tried again until it succeeds: its counts are added once. See `RetryStore.commit`.
   */
  add(deltas: readonly CountDelta[], writeId?: string): Promise<void>
  /** The sums, one row per distinct counter, in order of source, destination, kind, reason (by code point); none by name. */
  read(workspaceId: string): Promise<readonly CountDelta[]>
  /** The sums of a source and day by name, one row per distinct counter. Names beyond the limit are joined: see `boundNames`. */
  readNamed(query: NamedQuery): Promise<readonly NamedCount[]>
  /**
   * Adds up what is still kept apart of the counts by name, and deletes days that are too old. Calls of several processes add
   * to each other. @param now milliseconds since the epoch.
   */
  tidyNamed(now: number): Promise<void>
}

/** The events to read counts of. */
export interface NamedQuery {
  readonly workspaceId: string
  readonly sourceId: string
  /** Such as `2026-11-28`, in UTC. */
  readonly day: string
}
