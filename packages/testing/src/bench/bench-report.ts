import type { Isolation } from '@sluice/sandbox'

/** One way to run a transformation. */
export interface BenchCell {
  /** Events that user code is given at a time. */
  readonly batch: number
  readonly isolation: Isolation
  /** Threads that run user code. */
  readonly workers: number
}

/** What a cell came to. Times are milliseconds per event: of a batch, divided by its size, with one batch at a time. */
export interface MeasuredCell extends BenchCell {
  /** With as many batches under way as the threads take. */
  readonly eventsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Resident memory the process gained from before the sandbox was made; what it kept of earlier cells is not in it. */
  readonly memoryBytes: number
  /** Of the events that were run, 0 to 1. Above that of other cells, this one runs out of a limit. */
  readonly failedShare: number
}

/** A cell that is not measured, and why. */
export interface SkippedCell extends BenchCell {
  readonly reason: string
}

/** Time of single events, each alone in its batch; the least of several runs, since the rest is noise. */
export interface EventTime {
  /** Index among the events that were given. */
  readonly index: number
  readonly messageId: string | null
  readonly timeMs: number
}

export interface EventTimes {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** All that were measured, in order of the events: at most 1,000 at even distances, and the longest of all that were run. */
  readonly all: readonly EventTime[]
  /** Those that take far longer than others, the longest first, at most ten. */
  readonly outliers: readonly EventTime[]
}

/** How much of a limit is used by what came nearest to it. */
export interface LimitUse {
  readonly limit: string
  readonly used: number
  readonly allowed: number
  readonly unit: 'ms' | 'bytes' | 'events'
}

/** Where the time of an event goes, in the cell that is recommended, with one batch at a time. */
export interface TimeShares {
  readonly crossingInMs: number
  /** Waiting for what it fetches included. */
  readonly userCodeMs: number
  readonly crossingOutMs: number
}

/** A line of user code with the time that is spent in it. */
export interface HotLine {
  readonly module: string
  readonly line: number
  /** As it is written, without the blanks around it. */
  readonly source: string
  /** What is on it that takes time, such as `regex`; '' when nothing stands out. */
  readonly what: string
  /** Of the time in user code, 0 to 1. */
  readonly share: number
  readonly msPerEvent: number
  readonly hits: number
}

/**
 * What a bench found out. This is what `sluice bench --json` prints, with a member `comparison` beside it when `--compare`
 * was given: members may be added, none will change its meaning.
 */
export interface BenchReport {
  readonly name: string
  /** That were given. */
  readonly events: number
  /** Of those that were run, which are fewer than `events` where they take long. */
  readonly outcomes: { readonly passed: number; readonly dropped: number; readonly failed: number }
  /** What the first event that failed says; null when none did. */
  readonly firstError: string | null
  readonly cells: readonly MeasuredCell[]
  readonly skipped: readonly SkippedCell[]
  /** One of the cells. */
  readonly recommended: MeasuredCell
  readonly eventTimes: EventTimes
  readonly shares: TimeShares
  readonly limits: readonly LimitUse[]
  /** Of all events, the hottest first, at most twenty. */
  readonly hotLines: readonly HotLine[]
  /** The same of the slowest events alone: those that take p99 and longer. At most three. */
  readonly slowLines: readonly HotLine[]
  /** Sentences for people: what to set, and what to look at. */
  readonly advice: readonly string[]
}
