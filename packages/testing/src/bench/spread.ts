import { type Event, InvariantError } from '@sluice/core'

/**
 * All indexes below `count`, in an order of which every beginning lies evenly over the whole: what stands together in a
 * file is not measured together, and a bench that has no time for all events has seen some from everywhere.
 */
export function spreadOrder(count: number): readonly number[] {
  const step = coprimeNear(Math.round(count * 0.618), count)
  return Array.from({ length: count }, (_, place) => (place * step) % count)
}

function coprimeNear(start: number, count: number): number {
  let step = Math.max(1, start)
  while (commonDivisor(step, count) !== 1) step += 1
  return step
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
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
