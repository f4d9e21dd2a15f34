import type { Isolation } from '@sluice/sandbox'

/** One way to run a transformation. */
export interface BenchCell {
  /** Events that user code is given at a time. */
  readonly batch: number
  readonly isolation: Isolation
  /** Threads that run user code. */
  readonly workers: number
}

/** What a cell came to. Times are milliseconds per event. */
export interface MeasuredCell extends BenchCell {
  readonly eventsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Memory of the process while it ran, above what it had before the first cell. */
  readonly memoryBytes: number
}

/** Time of single events, each alone in its batch; the least of several runs, since the rest is noise. */
export interface EventTime {
  /** Index among the events that were given. */
  readonly index: number
  readonly messageId: string | null
  readonly timeMs: number
}

/** How much of a limit is used by what came nearest to it. */
export interface LimitUse {
  readonly limit: string
  readonly used: number
  readonly allowed: number
  readonly unit: 'ms' | 'bytes' | 'events'
}

/** Where the time of an event goes, in the cell that is recommended. */
export interface TimeShares {
  readonly crossingInMs: number
  readonly userCodeMs: number
  readonly crossingOutMs: number
}

/** A line of user code with the time that is spent in it. */
export interface HotLine {
  readonly module: string
  readonly line: number
  /** As it is written. */
  readonly source: string
  /** What is on it that takes time, such as `regex`; '' when nothing stands out. */
  readonly what: string
  /** Of the time in user code, 0 to 1. */
  readonly share: number
  readonly msPerEvent: number
  readonly hits: number
}

export interface BenchReport {
  readonly name: string
  readonly events: number
  readonly outcomes: { readonly passed: number; readonly dropped: number; readonly failed: number }
  readonly cells: readonly MeasuredCell[]
  readonly recommended: MeasuredCell
  readonly eventTimes: {
    readonly p50Ms: number
    readonly p99Ms: number
    readonly maxMs: number
    /** All that were measured, in order of the events. */
    readonly all: readonly EventTime[]
    /** Those that take far longer than others, the longest first, at most ten. */
    readonly outliers: readonly EventTime[]
  }
  readonly shares: TimeShares
  readonly limits: readonly LimitUse[]
  /** The hottest first, at most twenty. */
  readonly hotLines: readonly HotLine[]
  /** Sentences for people: what to set, and what to look at. */
  readonly advice: readonly string[]
}
