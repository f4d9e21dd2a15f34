import type { LogPosition } from './log-position.ts'
import type { CountDelta } from './stores/counter-store.ts'

/** Which events count as sent twice: those of a source whose messageId was accepted a short time before. */
export interface Deduplication {
  /**
   * How long an accepted messageId is remembered, by the time of receipt, in milliseconds. One accepted as long after the
   * time it is now, because the clock was put back, is not remembered either.
   */
  readonly windowMs: number
  /** How many are remembered, over all workspaces; the oldest are forgotten first. */
  readonly idsMax: number
}

export interface Appended {
  /** Undefined when every event was a duplicate, so that there is no batch. */
  readonly position: LogPosition | undefined
  /** The places in the batch, in order, of the events that were left out. */
  readonly duplicates: readonly number[]
}

/** What is counted when some events of a batch were duplicates: that many less were accepted, by its source and everywhere. */
export function withDuplicates(counts: readonly CountDelta[], duplicates: number): readonly CountDelta[] {
  if (duplicates === 0) return counts
  return counts.flatMap((delta): readonly CountDelta[] => {
    if (delta.kind !== 'accepted') return [delta]
    const accepted = delta.count > duplicates ? [{ ...delta, count: delta.count - duplicates }] : []
    return delta.destinationId === '' ? [...accepted, { ...delta, kind: 'duplicate', count: duplicates }] : accepted
  })
}
