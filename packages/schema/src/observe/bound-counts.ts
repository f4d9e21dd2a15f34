import type { BoundDelta } from '../catalogue/schema-delta.ts'
import type { SchemaBound } from '../schema-limits.ts'

/** Counts how often a limit was reached for each source. */
export class BoundCounts {
  #counts = new Map<string, Map<SchemaBound, number>>()

  add(writeKey: string, bound: SchemaBound, count: number): void {
    const counts = this.#counts.get(writeKey) ?? new Map<SchemaBound, number>()
    this.#counts.set(writeKey, counts.set(bound, (counts.get(bound) ?? 0) + count))
  }

  /** Returns the counts since the last call. */
  take(): readonly BoundDelta[] {
    const taken = [...this.#counts].flatMap(([writeKey, counts]) =>
      [...counts].map(([bound, count]) => ({ writeKey, bound, count })),
    )
    this.#counts = new Map()
    return taken
  }
}
