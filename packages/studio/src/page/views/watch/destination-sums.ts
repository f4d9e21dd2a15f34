import { countsOf, reasonsOf, totalOf, type WatchedHistory } from './watched-history.ts'

interface Waiting {
  readonly destinationId: string
  readonly waiting: number
}

/** What came to one destination in a range, and what became of it. */
export interface DestinationSums {
  readonly destinationId: string
  /** Came in the range, or waited when it began. */
  readonly came: number
  /** Of these, sent again: they end another time. */
  readonly sentAgain: number
  readonly delivered: number
  readonly filtered: number
  readonly failed: number
  /** Waits at its end. */
  readonly waiting: number
  readonly deliveredCounts: readonly number[]
  readonly failedCounts: readonly number[]
  /** How many waited at the end of each slot. */
  readonly waitingCounts: readonly number[]
}

/**
 * Returns the sums of one destination. What waited when the range began is what waits now, without what came since and
 * with what ended since.
 */
export function destinationSums(history: WatchedHistory, { destinationId, waiting }: Waiting): DestinationSums {
  const counts = (kind: string) => countsOf(history, { kind, destinationId })
  const [accepted, replayed, delivered, dropped, failed] = [
    counts('accepted'),
    counts('replayed'),
    counts('delivered'),
    counts('dropped'),
    counts('failed'),
  ]
  const grown = accepted.map(
    (count, n) => count + (replayed[n] ?? 0) - (delivered[n] ?? 0) - (dropped[n] ?? 0) - (failed[n] ?? 0),
  )
  const before = Math.max(0, waiting - sumOf(grown))
  let sum = before
  const waitingCounts = grown.map((count) => {
    sum = Math.max(0, sum + count)
    return sum
  })
  return {
    destinationId,
    came: before + sumOf(accepted) + sumOf(replayed),
    sentAgain: sumOf(replayed),
    delivered: sumOf(delivered),
    filtered: sumOf(dropped),
    failed: sumOf(failed),
    waiting: before + sumOf(grown),
    deliveredCounts: delivered,
    failedCounts: failed,
    waitingCounts,
  }
}

/** Returns slot by slot the sum of lists of equal length. */
export function addUp(lists: readonly (readonly number[])[]): readonly number[] {
  return (lists[0] ?? []).map((_, n) => lists.reduce((sum, list) => sum + (list[n] ?? 0), 0))
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** Returns what was accepted, delivered and failed in a range, to compare it with another. */
export function rangeTotals(history: WatchedHistory, destinationIds: readonly string[]) {
  const total = (kind: string): number =>
    sumOf(destinationIds.map((destinationId) => totalOf(history, { kind, destinationId })))
  return { accepted: totalOf(history, { kind: 'accepted' }), delivered: total('delivered'), failed: total('failed') }
}

/** Delays of one destination; undefined where it delivered nothing, or took longer than three hours. */
export function delayOf({ delays }: WatchedHistory, destinationId: string) {
  return delays.find((delay) => delay.destinationId === destinationId && delay.of === 'delivery')
}

/** Returns the slowest destination by the time within which half is delivered, without warehouses, which load in batches. */
export function slowestDelay(history: WatchedHistory) {
  const loading = new Set(history.delays.filter(({ of }) => of === 'load').map(({ destinationId }) => destinationId))
  return history.delays
    .filter(({ of, destinationId, count }) => of === 'delivery' && count > 0 && !loading.has(destinationId))
    .sort((a, b) => (b.halfWithinMs ?? Infinity) - (a.halfWithinMs ?? Infinity))[0]
}

/** Returns why events failed in a range, the most frequent first. */
export function failureReasons(history: WatchedHistory, destinationIds: readonly string[]) {
  return destinationIds
    .flatMap((destinationId) =>
      reasonsOf(history, { kind: 'failed', destinationId }).map(({ reason, count }) => ({
        destinationId,
        code: reason,
        count,
      })),
    )
    .sort((a, b) => b.count - a.count)
}

/** Returns the status that a destination answered with last, where it is one of a failure. */
export function lastFailure(history: WatchedHistory, destinationId: string): string | undefined {
  const answered = history.series.filter((each) => each.kind === 'answered' && each.destinationId === destinationId)
  const newest = answered
    .map(({ reason = '', counts }) => ({ reason, slot: counts.findLastIndex((count) => count > 0) }))
    .filter(({ reason, slot }) => slot >= 0 && !/^[23]/.test(reason))
    .sort((a, b) => b.slot - a.slot)[0]
  return newest?.reason
}
