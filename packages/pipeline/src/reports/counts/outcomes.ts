import type { NamedCount } from '../../ports/stores/counter-store.ts'
import { notAllowed, type OutcomeReason, type OutcomeWhy, outcomeReasons, parseReason } from './outcome-reason.ts'

/** Events that did not reach a destination for one reason. */
export interface UnreachedEvents extends OutcomeReason {
  readonly events: number
}

/**
 * What became of the events of one source, name and day at one destination:
 * accepted + replayed = delivered + notReached + waiting.
 */
export interface DestinationOutcomes {
  readonly destinationId: string
  /** Events that the source accepted, whether it was connected or not. */
  readonly accepted: number
  /** Sent again from the log or the dead letters; each ends once more. */
  readonly replayed: number
  readonly delivered: number
  /** By reason, in the order of `outcomeReasons`. */
  readonly notReached: readonly UnreachedEvents[]
  /** Accepted or replayed, and not yet ended. */
  readonly waiting: number
}

/** How many events of a name were accepted on a day. */
export interface NameCount {
  readonly name: string
  readonly accepted: number
}

/** What became of the events of one source and day. */
export interface Outcomes {
  readonly accepted: number
  /** All names of the day, the most frequent first; `(others)` stands for those beyond the limit. */
  readonly names: readonly NameCount[]
  /** In order of id. */
  readonly destinations: readonly DestinationOutcomes[]
}

/**
 * Arranges the counts of a source and day.
 * @param name only events of this name. @param destinationIds destinations to list even without counts.
 */
export function toOutcomes(
  counts: readonly NamedCount[],
  { name, destinationIds }: { readonly name?: string | undefined; readonly destinationIds: readonly string[] },
): Outcomes {
  const isChosen = (count: NamedCount): boolean => name === undefined || count.named.name === name
  const accepted = sum(counts, (count) => isChosen(count) && count.destinationId === '' && count.kind === 'accepted')
  const ids = new Set([...destinationIds, ...counts.map(({ destinationId }) => destinationId)])
  ids.delete('')
  return {
    accepted,
    names: namesIn(counts),
    destinations: [...ids].sort().map((destinationId) => {
      const here = counts.filter((count) => count.destinationId === destinationId)
      // Suppressed events have no name: see `notAllowed`.
      const stillOpen = Math.max(0, openOf(here))
      return outcomesAt(destinationId, here.filter(isChosen), { accepted, stillOpen })
    }),
  }
}

function outcomesAt(
  destinationId: string,
  counts: readonly NamedCount[],
  { accepted, stillOpen }: { readonly accepted: number; readonly stillOpen: number },
): DestinationOutcomes {
  const ofKind = (kind: NamedCount['kind']): number => sum(counts, (count) => count.kind === kind)
  const open = Math.max(0, openOf(counts))
  // No more events of one name can wait than of all names: what is open beyond that was suppressed, without its name.
  const waiting = Math.min(open, stillOpen)
  const reasons = counts.flatMap(({ kind, reason, count: events }) =>
    kind === 'dropped' || kind === 'failed' ? [{ ...parseReason(reason, kind), events }] : [],
  )
  return {
    destinationId,
    accepted,
    replayed: ofKind('replayed'),
    delivered: ofKind('delivered'),
    notReached: joined([
      { why: 'notConnected', events: Math.max(0, accepted - ofKind('accepted')) },
      ...reasons,
      { why: notAllowed, events: open - waiting },
    ]),
    waiting,
  }
}

/** Returns how many events of a destination have not ended. */
function openOf(counts: readonly NamedCount[]): number {
  return counts.reduce((open, { kind, count }) => {
    if (kind === 'accepted' || kind === 'replayed') return open + count
    return kind === 'delivered' || kind === 'dropped' || kind === 'failed' ? open - count : open
  }, 0)
}

/** Returns one entry for each reason that has events. */
function joined(reasons: readonly UnreachedEvents[]): readonly UnreachedEvents[] {
  const sums = new Map<string, UnreachedEvents>()
  for (const reason of reasons) {
    if (reason.events === 0) continue
    const { why, outcome, versionId, code } = reason
    const key = JSON.stringify([why, outcome, versionId, code])
    sums.set(key, { ...reason, events: reason.events + (sums.get(key)?.events ?? 0) })
  }
  const placeOf = ({ why }: { readonly why: OutcomeWhy }): number => outcomeReasons.indexOf(why)
  return [...sums.values()].sort((a, b) => placeOf(a) - placeOf(b) || b.events - a.events)
}

function namesIn(counts: readonly NamedCount[]): readonly NameCount[] {
  const names = counts.flatMap(({ destinationId, kind, named, count: accepted }) =>
    destinationId === '' && kind === 'accepted' && named.name !== '' ? [{ name: named.name, accepted }] : [],
  )
  return names.sort((a, b) => b.accepted - a.accepted || (a.name < b.name ? -1 : 1))
}

function sum(counts: readonly NamedCount[], isChosen: (count: NamedCount) => boolean): number {
  return counts.reduce((total, count) => (isChosen(count) ? total + count.count : total), 0)
}
