import { type Event, InvariantError } from '@sluice/core'

/** Multiples of it, without their whole parts, lie as evenly as they can, however many they are (three-distance theorem). */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/**
 * All indexes below `count`, in an order of which every beginning lies evenly over the whole: what stands together in a
 * file is not measured together, and a bench that has no time for all events has seen some from everywhere.
 */
export function spreadOrder(count: number): readonly number[] {
  const rank = (index: number): number => (index * goldenRatio) % 1
  return Array.from({ length: count }, (_, index) => index).sort((a, b) => rank(a) - rank(b))
}

/** The events at these indexes, in this order. */
export function eventsAt(events: readonly Event[], indexes: readonly number[]): readonly Event[] {
  return indexes.map((index) => events[index]).filter((event) => event !== undefined)
}

/** The events as batches of a size, at least `least`; what is missing is filled up from the first, so that all cost alike. */
export function batchesOf(events: readonly Event[], size: number, least = 1): readonly (readonly Event[])[] {
  const [first] = events
  if (first === undefined) throw new InvariantError('a bench needs events')
  const count = Math.max(least, Math.ceil(events.length / size))
  return Array.from({ length: count }, (_, batch) =>
    Array.from({ length: size }, (_, place) => events[(batch * size + place) % events.length] ?? first),
  )
}

/** The value that so large a share of all is not above (nearest rank); of values in ascending order. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}
