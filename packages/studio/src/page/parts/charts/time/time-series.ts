import type { EventState } from '../../event-state.ts'
import { clockText, dayText } from '../../format/clock-text.ts'
import type { Measured } from '../plot-line.ts'

/** What a chart over time draws: one value for each slot. */
export interface TimeSeries {
  readonly name: string
  readonly state: EventState
  readonly kind?: 'area' | 'line' | 'bars'
  readonly values: readonly Measured[]
}

/** The slots of a chart over time. All series have as many values as there are slots. */
export interface TimeSlots {
  /** Beginning of the first slot, in milliseconds since the epoch. */
  readonly from: number
  /** Length of a slot, in milliseconds. */
  readonly everyMs: number
  readonly count: number
}

/** Something that happened, with a numbered flag. */
export interface TimeFlag {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Such as "mask orders v8 published by ana". */
  readonly text: string
  readonly state?: EventState
  readonly href?: string
}

/** Returns the end of the last slot. */
export function endOf({ from, everyMs, count }: TimeSlots): number {
  return from + everyMs * count
}

/** Returns where a moment is between the beginning and the end, 0 to 1. */
export function partOf(slots: TimeSlots, at: number): number {
  return Math.min(1, Math.max(0, (at - slots.from) / (endOf(slots) - slots.from)))
}

/** Returns series to draw over each other, so that each begins where those after it end. */
export function stackedSeries(series: readonly TimeSeries[]): readonly TimeSeries[] {
  return series.map((each, place) => ({
    ...each,
    values: each.values.map((value, n) =>
      series.slice(place + 1).reduce((sum, below) => sum + (below.values[n] ?? 0), value ?? 0),
    ),
  }))
}

const dayMs = 86_400_000

/** Returns the time of a slot: its beginning, with the day where the chart shows more than one. */
export function timeText({ from, everyMs, count }: TimeSlots, slot: number): string {
  const at = from + slot * everyMs
  return everyMs * count > dayMs ? `${dayText(at)}, ${clockText(at)}` : clockText(at)
}
