import { type ChangeGroup, ChangeGroups, type EventEnding, endingChanges } from '@sluice/testing/diff'

type Event = Readonly<Record<string, unknown>>

/** What recorded events would result in after a change, against now. The parts add up to all events. */
export interface Comparison {
  readonly events: readonly Event[]
  readonly same: number
  readonly differ: number
  readonly newlyFiltered: number
  readonly failed: number
  /** Those with the most events first. */
  readonly groups: readonly ChangeGroup[]
  readonly before: readonly EventEnding[]
  readonly after: readonly EventEnding[]
}

/** Results of the same events, in their order. */
interface ComparedRuns {
  readonly before: readonly EventEnding[]
  /** A second run of what is there before: what differs between the two is random. */
  readonly again: readonly EventEnding[]
  readonly after: readonly EventEnding[]
}

/**
 * Groups the differences between two runs of events. Places that already differ between two runs of the same, such as
 * random ids, are left out.
 */
export function compareEndings(events: readonly Event[], { before, again, after }: ComparedRuns): Comparison {
  const random = new Set(before.flatMap((ending, n) => endingChanges(ending, again[n]).map(placeOf)))
  const groups = new ChangeGroups()
  const counts = { same: 0, differ: 0, newlyFiltered: 0, failed: 0 }
  for (const [n, event] of events.entries()) {
    const [from, to] = [before[n], after[n]]
    const changes = endingChanges(from, to).filter((change) => !random.has(placeOf(change)))
    if (changes.length > 0) groups.add(event as Parameters<ChangeGroups['add']>[0], n, changes)
    if (to?.outcome === 'failed') counts.failed += 1
    else if (changes.length === 0) counts.same += 1
    else if (to?.outcome === 'dropped') counts.newlyFiltered += 1
    else counts.differ += 1
  }
  return { ...counts, events, groups: groups.list, before, after }
}

/** Changes of an outcome are never random: an event that is dropped now and then matters. */
const placeOf = ({ path, change }: { readonly path: string; readonly change: string }): string =>
  path === 'outcome' ? change : path
