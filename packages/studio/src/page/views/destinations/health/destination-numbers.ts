import { countsOf, type History, totalOf } from './history.ts'

/** What came to a destination within a range, and what became of it. */
interface DestinationNumbers {
  /** New events and those that were sent again. */
  readonly came: number
  /** Delivered, filtered or failed, which may have come before the range. */
  readonly ended: number
  readonly delivered: number
  readonly filtered: number
  readonly failed: number
  /** Delivered events, one number per slot. */
  readonly deliveredBySlot: readonly number[]
  /** 99 of 100 were delivered within this time, in milliseconds; absent where it is not known. */
  readonly almostAllWithinMs: number | undefined
}

export function destinationNumbers(history: History, id: string): DestinationNumbers {
  const total = (...kinds: readonly string[]): number =>
    totalOf(history, ({ destinationId, kind }) => destinationId === id && kinds.includes(kind))
  const isDelivered = ({ destinationId, kind }: { readonly destinationId?: string; readonly kind: string }): boolean =>
    destinationId === id && kind === 'delivered'
  const delays = history.delays.filter(({ destinationId }) => destinationId === id)
  return {
    came: total('accepted', 'replayed'),
    ended: total('delivered', 'dropped', 'failed'),
    delivered: total('delivered'),
    filtered: total('dropped'),
    failed: total('failed'),
    deliveredBySlot: countsOf(history, isDelivered),
    almostAllWithinMs: (delays.find((each) => each.of === 'delivery') ?? delays[0])?.almostAllWithinMs,
  }
}
