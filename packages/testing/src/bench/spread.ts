import { type Event, InvariantError } from '@sluice/core'

/**
 * The fractional parts of its multiples are distributed as evenly as possible, for any number of them (three-distance
 * theorem).
 */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/**
 * Returns all indexes below `count` in an order in which every prefix is distributed evenly. So events that are
 * adjacent in a file are not measured together, and a bench without time for all events still has a sample of the whole
 * file.
 */
export function spreadOrder(count: number): readonly number[] {
  const rank = (index: number): number => (index * goldenRatio) % 1
  return Array.from({ length: count }, (_, index) => index).sort((a, b) => rank(a) - rank(b))
}

/** Returns the events at these indexes, in this order. */
export function eventsAt(events: readonly Event[], indexes: readonly number[]): readonly Event[] {
  return indexes.map((index) => events[index]).filter((event) => event !== undefined)
}

/**
 * Splits events into at least `least` batches of one size. The last is filled up from the beginning, so that all cost
 * the same.
 */
export function batchesOf(events: readonly Event[], size: number, least = 1): readonly (readonly Event[])[] {
  const [first] = events
  if (first === undefined) throw new InvariantError('a bench needs events')
  const count = Math.max(least, Math.ceil(events.length / size))
  return Array.from({ length: count }, (_, batch) =>
    Array.from({ length: size }, (_, place) => events[(batch * size + place) % events.length] ?? first),
  )
}

/** Returns the smallest value that the given share of values does not exceed (nearest rank). `sorted` is ascending. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
