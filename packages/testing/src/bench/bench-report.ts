import type { CodeTrust, Isolation } from '@sluice/sandbox'

/** A combination of options to run a transformation with. */
export interface BenchCell {
  /** Events passed to user code at a time. */
  readonly batch: number
  readonly isolation: Isolation
  /** Threads that run user code. */
  readonly workers: number
}

/**
 * Measurements of a cell. Times are milliseconds per event: the time of a batch divided by its size, with one batch at
 * a time.
 */
export interface MeasuredCell extends BenchCell {
  /** Measured with as many concurrent batches as the threads accept. */
  readonly eventsPerSecond: number
  /**
   * Quartiles of the events per second of repeated runs: half of the runs were between them. Equal to `eventsPerSecond`
   * when there was time for one run only.
   */
  readonly eventsPerSecondQuartiles: readonly [low: number, high: number]
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Growth of resident memory since before the sandbox was created, excluding memory kept from earlier cells. */
  readonly memoryBytes: number
  /** Share of failed events, 0 to 1. If it is higher than in other cells, this cell exceeds a limit. */
  readonly failedShare: number
}

/** A cell that was not measured, and why. */
export interface SkippedCell extends BenchCell {
  readonly reason: string
}

/** Time of a single event, alone in its batch. The shortest of several runs, because the rest is noise. */
export interface EventTime {
  /** Index in the given events. */
  readonly index: number
  readonly messageId: string | null
  readonly timeMs: number
}

export interface EventTimes {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** All measured events in order: at most 1,000 at even distances, plus the slowest of all that were run. */
  readonly all: readonly EventTime[]
  /** Events that take far longer than others, the slowest first, at most ten. */
  readonly outliers: readonly EventTime[]
}

/** Largest share of a limit used by any event. */
export interface LimitUse {
  readonly limit: string
  readonly used: number
  readonly allowed: number
  readonly unit: 'ms' | 'bytes' | 'events'
}

/** Where an event spends its time in the recommended cell, with one batch at a time. */
export interface TimeShares {
  readonly crossingInMs: number
  /** Includes waits for fetch. */
  readonly userCodeMs: number
  readonly crossingOutMs: number
}

/** A line of user code and its share of the time. */
export interface HotLine {
  readonly module: string
  readonly line: number
  /** Source text without surrounding spaces. */
  readonly source: string
  /** What on the line takes time, such as `regex`; '' if nothing stands out. */
  readonly what: string
  /** Share of the time in user code, 0 to 1. */
  readonly share: number
  /** Least and greatest share in three rounds of the profile; the same twice when there was time for one. */
  readonly shareRange: readonly [least: number, greatest: number]
  /** Whether the line is too short to be timed, so that its time is a part of the whole by its hits. */
  readonly isCounted: boolean
  readonly msPerEvent: number
  readonly hits: number
}

/**
 * Result of a bench. `sluice bench --json` prints it, with a member `comparison` if `--compare` was given. Members may
 * be added; existing ones keep their meaning.
 */
/** Events per second of one cell, by who wrote the code: untrusted code runs in QuickJS, trusted code in V8. */
export type EngineRates = Readonly<Record<CodeTrust, number>>

export interface BenchReport {
  readonly name: string
  /** Number of given events. */
  readonly events: number
  /** Outcomes of the events that were run. Slow code runs fewer than `events`. */
  readonly outcomes: { readonly passed: number; readonly dropped: number; readonly failed: number }
  /** Message of the first failed event; null if none failed. */
  readonly firstError: string | null
  readonly cells: readonly MeasuredCell[]
  readonly skipped: readonly SkippedCell[]
  /** One of the cells. */
  readonly recommended: MeasuredCell
  /** Rates of the recommended cell. Absent in process, where no code is trusted. */
  readonly engines?: EngineRates
  readonly eventTimes: EventTimes
  readonly shares: TimeShares
  readonly limits: readonly LimitUse[]
  /** For all events, the hottest first, at most twenty. */
  readonly hotLines: readonly HotLine[]
  /** The same for the slowest events only, those at p99 and above. At most three. */
  readonly slowLines: readonly HotLine[]
  /** Recommendations for people: options to set, and what to examine. */
  readonly advice: readonly string[]
}
