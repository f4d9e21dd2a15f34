import type { UncountedFile } from '../instrument/instrument-typeless.ts'
import type { LineHint } from './line-hints.ts'

/** Profile of one line of user code. */
export interface LineProfile {
  /** The name given to profileSubject. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Its own time in all events, without that of functions with lines of their own and without that of the marks. */
  readonly ms: number
  readonly msPerEvent: number
  /** Share of the time of all lines, 0 to 1. */
  readonly share: number
  /** Least and greatest share in the rounds of the profile. Far apart when other work took a part of the machine. */
  readonly shareRange: readonly [least: number, greatest: number]
  /**
   * Whether the line is too short to be timed, because a step takes less than half a mark. Its time is then a part of
   * what the code takes without marks, by its hits.
   */
  readonly isCounted: boolean
  /** Executions of its statements, calls and functions. */
  readonly hits: number
  /** Source text without surrounding spaces. */
  readonly source: string
  readonly hints: readonly LineHint[]
}

export interface Profile {
  /** Executed lines, the slowest first. */
  readonly lines: readonly LineProfile[]
  /** Number of events run with marks, including repeated ones. */
  readonly events: number
  /** Number of failed events. A time-out counts on the line where it occurred. */
  readonly failed: number
  /** Time of all lines. */
  readonly ms: number
  /** Time of a mark in µs, already subtracted. */
  readonly markUs: number
  /** How often the lines were measured: three times, or once when the events take long. */
  readonly rounds: number
  /** Files without lines in the profile, because they could not be marked. */
  readonly unmarked: readonly UncountedFile[]
}
