/**
 * Upper bounds of the buckets in which delays are counted, in milliseconds: about four to a decade, each at most twice the one
 * before, and such that people say them. Longer delays have a bucket of their own.
 */
export const delayBoundsMs: readonly number[] = [
  ...[1, 10, 100, 1_000].flatMap((decade) => [decade, 2 * decade, 3 * decade, 5 * decade]),
  ...[10, 20, 30, 60, 120, 180, 300, 600, 900, 1_800, 3_600, 7_200, 10_800].map((seconds) => seconds * 1_000),
]

/** The reason of delays that are longer than the last bound. */
const longer = 'longer'

const reasons: readonly string[] = [...delayBoundsMs.map(String), longer]
const indexes: ReadonlyMap<string, number> = new Map(reasons.map((reason, index) => [reason, index]))

/** Counts of delays by bucket. Those of several times, processes or destinations are merged by adding them up. */
export class DelayCounts {
  readonly #counts: number[] = new Array(reasons.length).fill(0)
  #total = 0

  get total(): number {
    return this.#total
  }

  /** @param ms a clock that was set back makes it negative: then it counts as none. */
  record(ms: number): void {
    let low = 0
    let high = delayBoundsMs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((delayBoundsMs[middle] ?? 0) < ms) low = middle + 1
      else high = middle
    }
    this.#add(low, 1)
  }

  /** Adds what `rows` returned. A bucket that this release does not know counts as the longest, so that nothing seems faster than it was. */
  add(reason: string, count: number): void {
    this.#add(indexes.get(reason) ?? delayBoundsMs.length, count)
  }

  addAll(other: DelayCounts): void {
    for (const [index, count] of other.#counts.entries()) if (count > 0) this.#add(index, count)
  }

  /** Returns the buckets that have any, as reasons of the history. */
  rows(): readonly { readonly reason: string; readonly count: number }[] {
    return this.#counts.flatMap((count, index) => (count > 0 ? { reason: reasons[index] ?? longer, count } : []))
  }

  /**
   * Returns the bound within which at least this share of the delays was, in milliseconds: the true value is at most that, and
   * more than the bound before. Undefined without any delay, and when it is longer than the last bound.
   * @param share above 0, at most 1.
   */
  within(share: number): number | undefined {
    let sum = 0
    for (const [index, count] of this.#counts.entries()) {
      sum += count
      if (count > 0 && sum >= share * this.#total) return delayBoundsMs[index]
    }
    return undefined
  }

  #add(index: number, count: number): void {
    this.#counts[index] = (this.#counts[index] ?? 0) + count
    this.#total += count
  }
}
