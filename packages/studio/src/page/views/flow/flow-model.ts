import type { HistoryAnswer, StatsAnswer } from '@sluice/http'

type SourceStats = StatsAnswer['workspaces'][number]['sources'][number]
type DestinationStats = SourceStats['destinations'][number]
type Point = HistoryAnswer['workspaces'][number]['points'][number]

/** A source or a destination as it is set up. */
export interface Place {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly type?: string | undefined
  /** Of a destination: the code that its events pass. One of the workspace file has no id. */
  readonly transformation?: { readonly id?: string; readonly name: string } | undefined
}

export interface Wire {
  readonly sourceId: string
  readonly destinationId: string
}

/** What is read from the server. */
export interface FlowParts {
  readonly sources: readonly Place[]
  readonly destinations: readonly Place[]
  readonly wires: readonly Wire[]
  readonly stats: readonly SourceStats[]
  readonly points: readonly Point[]
}

/** One number of a line, such as `delivered`. */
interface Part {
  readonly name: string
  readonly count: number
  /** Why, by frequency; empty where the number needs no reason. */
  readonly reasons: readonly (readonly [reason: string, count: number])[]
}

/** A source, or a destination with what came to it: the whole, and the parts that must add up to it. */
export interface FlowLine {
  readonly place: Place
  readonly whole: number
  readonly parts: readonly Part[]
  /** `whole` minus the sum of the parts; 0 unless something is wrong. */
  readonly missing: number
  /** Events per 15 seconds of the last hour, oldest first. */
  readonly history: readonly number[]
}

export interface FlowModel {
  readonly sources: readonly FlowLine[]
  readonly destinations: readonly FlowLine[]
  readonly wires: readonly Wire[]
  /** Received and suppressed, over all sources. */
  readonly received: number
  readonly suppressed: number
}

/**
 * Joins what is set up with what was counted. Places that were removed but have counts are shown, too: their events must
 * not disappear from the sums.
 */
export function flowModel({ sources, destinations, wires, stats, points }: FlowParts): FlowModel {
  const sourceLines = withGone(
    sources,
    stats.map(({ sourceId }) => sourceId),
  ).map((place) => {
    const own = stats.find(({ sourceId }) => sourceId === place.id)
    return sourceLine(place, own, points)
  })
  const all = stats.flatMap((source) => source.destinations)
  const destinationLines = withGone(
    destinations,
    all.map(({ destinationId }) => destinationId),
  ).map((place) =>
    destinationLine(
      place,
      all.filter(({ destinationId }) => destinationId === place.id),
      points,
    ),
  )
  return {
    sources: sourceLines,
    destinations: destinationLines,
    wires,
    received: sum(stats.map(({ received }) => received)),
    suppressed: sum(stats.map(({ suppressed }) => suppressed)),
  }
}

function sourceLine(place: Place, own: SourceStats | undefined, points: readonly Point[]): FlowLine {
  const parts: readonly Part[] = [
    { name: 'accepted', count: own?.accepted ?? 0, reasons: [] },
    { name: 'rejected', count: sum(Object.values(own?.rejected ?? {})), reasons: sorted(own?.rejected ?? {}) },
    { name: 'suppressed', count: own?.suppressed ?? 0, reasons: [] },
    { name: 'duplicates', count: own?.duplicates ?? 0, reasons: [] },
  ]
  const received = points.map(({ sources }) => sources.find(({ sourceId }) => sourceId === place.id)?.received ?? 0)
  return line(place, own?.received ?? 0, parts, received)
}

function destinationLine(place: Place, own: readonly DestinationStats[], points: readonly Point[]): FlowLine {
  const total = (pick: (each: DestinationStats) => number): number => sum(own.map(pick))
  const dropped = merged(own.map((each) => each.dropped))
  const failed = merged(own.map((each) => each.failed))
  const parts: readonly Part[] = [
    { name: 'delivered', count: total(({ delivered }) => delivered), reasons: [] },
    { name: 'dropped', count: sum(Object.values(dropped)), reasons: sorted(dropped) },
    { name: 'failed', count: sum(Object.values(failed)), reasons: sorted(failed) },
    { name: 'pending', count: total(({ pending }) => pending), reasons: [] },
  ]
  const delivered = points.map(({ sources }) =>
    sum(
      sources.flatMap((source) =>
        source.destinations.flatMap((each) => (each.destinationId === place.id ? each.delivered : [])),
      ),
    ),
  )
  return line(
    place,
    total(({ accepted, replayed }) => accepted + replayed),
    parts,
    delivered,
  )
}

function line(place: Place, whole: number, parts: readonly Part[], totals: readonly number[]): FlowLine {
  const missing = whole - sum(parts.map(({ count }) => count))
  const history = totals.slice(1).map((total, index) => Math.max(0, total - (totals[index] ?? 0)))
  return { place, whole, parts, missing, history }
}

/** Adds places that only have counts. */
function withGone(places: readonly Place[], counted: readonly string[]): readonly Place[] {
  const gone = [...new Set(counted)].filter((id) => !places.some((place) => place.id === id))
  return [...places, ...gone.map((id) => ({ id, name: `${id} (removed)`, enabled: false }))]
}

function merged(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const reasons of all)
    for (const [reason, count] of Object.entries(reasons)) sums[reason] = (sums[reason] ?? 0) + count
  return sums
}

function sorted(reasons: Readonly<Record<string, number>>): Part['reasons'] {
  return Object.entries(reasons).sort(([, a], [, b]) => b - a)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
