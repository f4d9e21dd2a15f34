import type { Event } from '@sluice/core'
import { eventName } from './event-name.ts'
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

/**
 * What is counted when some events of a batch were duplicates: that many less were accepted, by its source and everywhere.
 * @param duplicates the events that were left out.
 */
export function withDuplicates(counts: readonly CountDelta[], duplicates: readonly Event[]): readonly CountDelta[] {
  if (duplicates.length === 0) return counts
  const byName = new Map<string, number>()
  for (const event of duplicates) byName.set(eventName(event), (byName.get(eventName(event)) ?? 0) + 1)
  return counts.flatMap((delta): readonly CountDelta[] => {
    if (delta.kind !== 'accepted') return [delta]
    const { named } = delta
    const fewer = named === undefined ? duplicates.length : (byName.get(named.name) ?? 0)
    const accepted = delta.count > fewer ? [{ ...delta, count: delta.count - fewer }] : []
    if (delta.destinationId !== '' || named !== undefined) return accepted
    return [...accepted, { ...delta, kind: 'duplicate', count: fewer }]
  })
}
