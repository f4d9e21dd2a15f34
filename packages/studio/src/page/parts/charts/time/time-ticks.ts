import { clockText, dayText } from '../../format/clock-text.ts'

interface TimeTick {
  /** Place from left to right, 0 to 1. */
  readonly part: number
  readonly text: string
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const steps = [
  minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  day,
]
const ticksMax = 7

/** Returns round times between two moments, at most seven, in the time zone of the reader. */
export function timeTicks(from: number, to: number): readonly TimeTick[] {
  const step = steps.find((each) => (to - from) / each <= ticksMax) ?? Math.ceil((to - from) / ticksMax / day) * day
  // Midnight here is not a multiple of a day since the epoch.
  const shift = new Date(from).getTimezoneOffset() * minute
  const ticks: TimeTick[] = []
  for (let at = Math.ceil((from - shift) / step) * step + shift; at <= to; at += step)
    ticks.push({ part: (at - from) / (to - from), text: step >= day ? dayText(at) : clockText(at) })
  return ticks
}
