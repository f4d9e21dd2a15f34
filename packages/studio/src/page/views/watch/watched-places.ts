import type { StatsAnswer } from '@sluice/http'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { visitor } from '../../api/session.ts'
import { readTypeNames } from '../../api/type-names.ts'

/** A source or a destination as it is set up. */
export interface Place {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  /** Of a destination: its type, as people call it. */
  readonly type?: string
  /** Of a destination: the code that its events pass. One of the workspace file has no id. */
  readonly transformation?: { readonly id?: string; readonly name: string; readonly versionId?: string }
}

export interface WatchedPlaces {
  readonly sources: readonly Place[]
  readonly destinations: readonly Place[]
  readonly wires: readonly { readonly sourceId: string; readonly destinationId: string }[]
}

/** Reads what is set up: it changes seldom. */
export async function readWatchedPlaces(signal: AbortSignal): Promise<WatchedPlaces> {
  const [sources, destinations, wires, typeNames] = await Promise.all([
    readAll<Place>('/v2/sources', 'sources', signal),
    readAll<Place>('/v2/destinations', 'destinations', signal),
    readAll<WatchedPlaces['wires'][number]>('/v2/connections', 'connections', signal),
    readTypeNames(),
  ])
  return {
    sources,
    destinations: destinations.map((place) => ({
      ...place,
      type: typeNames.get(place.type ?? '') ?? place.type ?? '',
    })),
    wires,
  }
}

type SourceStats = StatsAnswer['workspaces'][number]['sources'][number]

/** Reads the counters since the store was created. */
export async function readCounters(signal: AbortSignal): Promise<readonly SourceStats[]> {
  const { workspaces } = await request<StatsAnswer>('/v1/stats', { signal })
  return workspaces.find(({ workspaceId }) => workspaceId === visitor.value?.workspace.id)?.sources ?? []
}

/** Returns the places whose counters do not add up, by id: how many events are missing. Empty when all is well. */
export function unequalPlaces(stats: readonly SourceStats[]): ReadonlyMap<string, number> {
  const missing = new Map<string, number>()
  const add = (id: string, count: number): void => void missing.set(id, (missing.get(id) ?? 0) + count)
  for (const { sourceId, received, rejected, suppressed, duplicates, accepted, destinations } of stats) {
    add(sourceId, received - sumOf(rejected) - suppressed - duplicates - accepted)
    for (const { destinationId, accepted: came, replayed, delivered, dropped, failed, pending } of destinations)
      add(destinationId, came + replayed - delivered - sumOf(dropped) - sumOf(failed) - pending)
  }
  return new Map([...missing].filter(([, count]) => count !== 0))
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Returns the name of a place: its id while no place is known, and for one that was removed. */
export function nameIn(places: readonly Place[], id: string): string {
  return places.find((place) => place.id === id)?.name ?? (places.length === 0 ? id : `${id} (removed)`)
}
