/** Events of one day. */
export interface DayCount {
  /** Days since the epoch, in UTC. */
  readonly day: number
  readonly count: number
}

export const dayMs = 86_400_000

/** Days of a model that are kept, the newest with events included. */
export const daysMax = 90

/** Returns the day of a time in milliseconds since the epoch, in UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs)
}

/** Returns the sums by day, oldest first, of the last `daysMax` days up to the newest one. */
export function sumDays(counts: readonly DayCount[]): readonly DayCount[] {
  const sums = new Map<number, number>()
  for (const { day, count } of counts) sums.set(day, (sums.get(day) ?? 0) + count)
  const newest = Math.max(...sums.keys())
  return [...sums]
    .filter(([day]) => day > newest - daysMax)
    .map(([day, count]) => ({ day, count }))
    .sort((a, b) => a.day - b.day)
}

/** Events that were seen together. */
interface Seen {
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly lastSeen: number
  /** Absent where all were seen on the day of the last one. */
  readonly days?: readonly DayCount[]
}

/** Returns how many events of versions were seen on each day, oldest first. */
export function daysOf(versions: readonly Seen[]): readonly DayCount[] {
  return sumDays(versions.flatMap(({ days, lastSeen, count }) => days ?? [{ day: dayOf(lastSeen), count }]))
}
