import type { Clock } from '@sluice/core'
import type { SourceStats } from './stats.ts'

/** How often the counts are looked at, and for how long they are kept, in milliseconds. */
const everyMs = 15_000
const keptMs = 3_600_000
const pointsMax = keptMs / everyMs
/** Series that are kept per workspace: sources, and destinations of sources. Counts of further ones are left out. */
const seriesMax = 500

/** Counts of a workspace at one time, since the store was created. */
export interface CountPoint {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly sources: readonly SourceCounts[]
}

/** Counts of one source, summed over reasons. */
export interface SourceCounts {
  readonly sourceId: string
  readonly received: number
  readonly rejected: number
  readonly suppressed: number
  readonly accepted: number
  readonly destinations: readonly {
    readonly destinationId: string
    readonly delivered: number
    readonly dropped: number
    readonly failed: number
    readonly pending: number
  }[]
}

/** Remembers the counts of the last hour, in memory: for rates, and for when something began to fail. */
export interface CountHistory {
  readonly everyMs: number
  /** The points of a workspace, oldest first. Empty until the first look. */
  of(workspaceId: string): readonly CountPoint[]
  close(): Promise<void>
}

interface CountHistoryOptions {
  readonly clock: Clock
  workspaceIds(): readonly string[]
  stats(workspaceId: string): Promise<readonly SourceStats[]>
  onError(error: unknown): void
}

/** Starts to look at the counts every 15 seconds. */
export function createCountHistory({ clock, workspaceIds, stats, onError }: CountHistoryOptions): CountHistory {
  const points = new Map<string, CountPoint[]>()
  const stopping = new AbortController()

  async function look(): Promise<void> {
    const ids = workspaceIds()
    for (const id of [...points.keys()]) if (!ids.includes(id)) points.delete(id)
    for (const id of ids) {
      const point = { at: clock.now(), sources: countsOf(await stats(id)) }
      const own = points.get(id) ?? []
      own.push(point)
      if (own.length > pointsMax) own.shift()
      points.set(id, own)
    }
  }
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      await look().catch(onError)
      await clock.sleep(everyMs, stopping.signal)
    }
  }
  const watching = watch()
  return {
    everyMs,
    of: (workspaceId) => points.get(workspaceId) ?? [],
    close: async () => {
      stopping.abort()
      await watching
    },
  }
}

function countsOf(stats: readonly SourceStats[]): readonly SourceCounts[] {
  let left = seriesMax
  return stats.flatMap((source) => {
    if (left <= 0) return []
    const destinations = source.destinations.slice(0, left - 1)
    left -= 1 + destinations.length
    const { sourceId, received, suppressed, accepted } = source
    return {
      sourceId,
      received,
      rejected: sum(source.rejected),
      suppressed,
      accepted,
      destinations: destinations.map(({ destinationId, delivered, dropped, failed, pending }) => ({
        destinationId,
        delivered,
        dropped: sum(dropped),
        failed: sum(failed),
        pending,
      })),
    }
  })
}

function sum(reasons: Readonly<Record<string, number>>): number {
  return Object.values(reasons).reduce((total, count) => total + count, 0)
}
