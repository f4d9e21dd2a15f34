import type { Event } from '@sluice/core'
import type { EventEnding, RunConditions } from '../run/offline-run.ts'
import type { OfflineRunner } from '../run/offline-runner.ts'
import type { DiffSide } from './diffed-way.ts'

/** What became of events on one side. */
export interface SideRun {
  /** One per event; undefined for an event that does not come to the destination. */
  readonly endings: readonly (EventEnding | undefined)[]
  readonly timeMs: number
}

/** Runs events on one side of a way: those of sources that are connected to its destination. */
export async function runSide(
  runner: OfflineRunner,
  side: DiffSide | undefined,
  events: readonly Event[],
  conditions: RunConditions,
): Promise<SideRun> {
  if (side === undefined) return { endings: [], timeMs: 0 }
  if (side.recorded !== undefined) return { endings: events.map(side.recorded), timeMs: 0 }
  const comes = arrivalsOf(side, conditions)
  const places = events.flatMap((event, place) => (comes(event) ? [place] : []))
  if (places.length === 0) return { endings: [], timeMs: 0 }
  const own = places.length === events.length ? events : events.filter(comes)
  const { endings: found, timeMs } = await runner.run(side.subject, own, {
    ...conditions,
    destination: side.destination,
  })
  const endings: (EventEnding | undefined)[] = events.map(() => undefined)
  for (const [i, place] of places.entries()) endings[place] = found[i]
  return { endings, timeMs }
}

/** Returns whether an event comes to a destination. One whose source is not known comes to each. */
function arrivalsOf({ destination }: DiffSide, { sourceOf }: RunConditions): (event: Event) => boolean {
  const place = destination?.place
  if (place === undefined || sourceOf === undefined) return () => true
  const sources = new Set(
    place.workspace.connections.flatMap((each) => (each.destinationId === place.destination.id ? [each.sourceId] : [])),
  )
  return (event) => {
    const source = sourceOf(event)
    return source === undefined || sources.has(source)
  }
}
