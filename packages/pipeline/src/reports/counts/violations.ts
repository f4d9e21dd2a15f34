import type { SourcedEvent } from '@sluice/core'
import type { ViolationFinder } from '@sluice/schema'
import type { CountDelta } from '../../ports/stores/counter-store.ts'
import type { CountTally } from './count-tally.ts'

/** How many events violated a tracking plan in one way. An event counts once for each type of violation. */
export interface ViolationCount {
  readonly sourceId: string
  /** Type of the violation, such as `Required-Missing`. */
  readonly type: string
  /** The planned event, such as `track Bought` or `page`; '' for events that the plan does not list. */
  readonly planned: string
  readonly count: number
}

/** Counts what events violate. */
export async function countViolations(
  find: ViolationFinder,
  items: readonly SourcedEvent[],
  tally: CountTally,
): Promise<void> {
  const found = await find(items)
  for (const [index, { sourceId }] of items.entries()) {
    const { types = [], planned = '' } = found[index] ?? {}
    for (const type of types) tally.add(sourceId, '', 'violation', `${type} ${planned}`, 1)
  }
}

/** Returns the violations among the counters of a workspace. */
export function violationsIn(counts: readonly CountDelta[]): readonly ViolationCount[] {
  return counts.flatMap(({ sourceId, kind, reason, count }) => {
    if (kind !== 'violation') return []
    // Types have no spaces; names of events may.
    const end = reason.indexOf(' ')
    return { sourceId, type: reason.slice(0, end), planned: reason.slice(end + 1), count }
  })
}
