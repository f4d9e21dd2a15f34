import type { CountDelta } from '../../ports/stores/counter-store.ts'

/** What became of the events of one source at one destination. */
export interface DestinationStats {
  readonly destinationId: string
  readonly accepted: number
  /** Replayed from the log or the dead letters; each ends once more. */
  readonly replayed: number
  readonly delivered: number
  readonly dropped: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
  /** Dead letters that were forgotten to make room, by the limit that was reached. */
  readonly forgotten: Readonly<Record<string, number>>
  /** Accepted or replayed, and not yet ended. */
  readonly pending: number
  /** Requests delivered; one event may become several. */
  readonly outputs: number
}

export interface SourceStats {
  readonly sourceId: string
  readonly received: number
  readonly rejected: Readonly<Record<string, number>>
  readonly suppressed: number
  /** Accepted before, so not again. */
  readonly duplicates: number
  readonly accepted: number
  /** Accepted events, duplicates included, with a number beyond ±2^53 (rounded) or beyond 1.8e308 (becomes null). */
  readonly largeNumbers: number
  /** Accepted events, duplicates included, whose `timestamp` was no time and is computed. */
  readonly invalidTimes: number
  /** Accepted events whose shapes were not learnt: too much was new, or too large. */
  readonly countedOnly: number
  readonly destinations: readonly DestinationStats[]
}

/**
 * Arranges counters by source and destination. Counts are input events, since the store was created.
 * @param countedOnly by source.
 */
export function toStats(
  counts: readonly CountDelta[],
  countedOnly: ReadonlyMap<string, number> = new Map(),
): readonly SourceStats[] {
  return [...groupBy(counts, ({ sourceId }) => sourceId)].map(([sourceId, ofSource]) => {
    const own = ofSource.filter(({ destinationId }) => destinationId === '')
    const elsewhere = ofSource.filter(({ destinationId }) => destinationId !== '')
    return {
      sourceId,
      received: total(own, 'received'),
      rejected: reasons(own, 'rejected'),
      suppressed: total(own, 'suppressed'),
      duplicates: total(own, 'duplicate'),
      accepted: total(own, 'accepted'),
      largeNumbers: total(own, 'largeNumbers'),
      invalidTimes: total(own, 'invalidTimes'),
      countedOnly: countedOnly.get(sourceId) ?? 0,
      destinations: [...groupBy(elsewhere, ({ destinationId }) => destinationId)].map(([destinationId, rows]) => {
        const accepted = total(rows, 'accepted')
        const replayed = total(rows, 'replayed')
        const delivered = total(rows, 'delivered')
        const ended = delivered + total(rows, 'dropped') + total(rows, 'failed')
        return {
          destinationId,
          accepted,
          replayed,
          delivered,
          dropped: reasons(rows, 'dropped'),
          failed: reasons(rows, 'failed'),
          forgotten: reasons(rows, 'forgotten'),
          pending: accepted + replayed - ended,
          outputs: total(rows, 'outputs'),
        }
      }),
    }
  })
}

function total(rows: readonly CountDelta[], kind: CountDelta['kind']): number {
  return rows.reduce((sum, row) => (row.kind === kind ? sum + row.count : sum), 0)
}

function reasons(rows: readonly CountDelta[], kind: CountDelta['kind']): Readonly<Record<string, number>> {
  return Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ reason, count }) => [reason, count]))
}

function groupBy(rows: readonly CountDelta[], keyOf: (row: CountDelta) => string): ReadonlyMap<string, CountDelta[]> {
  const groups = new Map<string, CountDelta[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
