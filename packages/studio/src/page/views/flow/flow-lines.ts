import type { CircuitsAnswer } from '@sluice/http'
import { type DestinationSums, destinationSums, sumOf } from '../watch/destination-sums.ts'
import { countsOf, reasonsOf, totalOf, type WatchedHistory } from '../watch/watched-history.ts'
import type { Place, WatchedPlaces } from '../watch/watched-places.ts'

type Circuit = CircuitsAnswer['workspaces'][number]['destinations'][number]

/** What a source sent in a range. */
export interface SourceLine {
  readonly place: Place
  readonly received: number
  readonly accepted: number
  readonly rejected: number
  readonly suppressed: number
  readonly duplicates: number
  readonly counts: readonly number[]
}

/** What came to a destination in a range, or to several that are drawn as one. */
export interface DestinationLine {
  readonly place: Place
  readonly sums: DestinationSums
  readonly circuit: Circuit | undefined
  /** Destinations that are drawn as one: more than one for a group. */
  readonly members: number
}

/** Returns what sources sent. Those that were removed but have counts are there, too. */
export function sourceLines({ sources }: WatchedPlaces, history: WatchedHistory): readonly SourceLine[] {
  return withGone(
    sources,
    history.series.flatMap((each) => each.sourceId || []),
  ).map((place) => {
    const total = (kind: string): number => totalOf(history, { kind, sourceId: place.id })
    return {
      place,
      received: total('received'),
      accepted: total('accepted'),
      rejected: total('rejected'),
      suppressed: total('suppressed'),
      duplicates: total('duplicate'),
      counts: countsOf(history, { kind: 'received', sourceId: place.id }),
    }
  })
}

/** Returns what came to destinations, in their order. Those that were removed but have counts are there, too. */
export function destinationLines(
  { destinations }: WatchedPlaces,
  history: WatchedHistory,
  circuits: readonly Circuit[],
): readonly DestinationLine[] {
  const counted = history.series.flatMap(({ kind, destinationId = [] }) => (kind === 'accepted' ? destinationId : []))
  return withGone(destinations, counted).map((place) => {
    const circuit = circuits.find(({ destinationId }) => destinationId === place.id)
    const sums = destinationSums(history, { destinationId: place.id, waiting: circuit?.waiting ?? 0 })
    return { place, sums, circuit, members: 1 }
  })
}

/** Returns why events did not arrive, with the kind of each reason, the most frequent first. */
export function lossReasons(
  history: WatchedHistory,
  filter: { readonly sourceId?: string; readonly destinationId?: string },
) {
  const kinds = filter.destinationId === undefined ? (['rejected'] as const) : (['failed', 'dropped'] as const)
  return kinds
    .flatMap((kind) => reasonsOf(history, { kind, ...filter }).map((each) => ({ kind, ...each })))
    .sort((a, b) => b.count - a.count)
}

function withGone(places: readonly Place[], counted: readonly string[]): readonly Place[] {
  const gone = [...new Set(counted)].filter((id) => !id.startsWith('(') && !places.some((place) => place.id === id))
  return [...places, ...gone.map((id) => ({ id, name: `${id} (removed)`, enabled: false }))]
}

/** Destinations that a picture can show apart. */
const drawnMax = 12
const groupId = '(others)'

/** Returns the lines to draw: of more than twelve, those with the fewest events are one. */
export function drawnLines(lines: readonly DestinationLine[]): readonly DestinationLine[] {
  if (lines.length <= drawnMax) return lines
  const byCame = [...lines].sort((a, b) => b.sums.came - a.sums.came)
  const kept = new Set(byCame.slice(0, drawnMax - 1))
  const others = lines.filter((line) => !kept.has(line))
  const total = (name: 'came' | 'sentAgain' | 'delivered' | 'filtered' | 'failed' | 'waiting') =>
    sumOf(others.map(({ sums }) => sums[name]))
  const group: DestinationLine = {
    place: { id: groupId, name: `${others.length} others`, enabled: true },
    sums: {
      destinationId: groupId,
      came: total('came'),
      sentAgain: total('sentAgain'),
      delivered: total('delivered'),
      filtered: total('filtered'),
      failed: total('failed'),
      waiting: total('waiting'),
      deliveredCounts: [],
      failedCounts: [],
      waitingCounts: [],
    },
    circuit: undefined,
    members: others.length,
  }
  return [...lines.filter((line) => kept.has(line)), group]
}
