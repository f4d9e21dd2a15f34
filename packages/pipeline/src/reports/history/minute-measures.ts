import type { HistoryKind, HistoryRow } from '../../ports/stores/history-store.ts'
import { DelayCounts } from './delay-counts.ts'

/** Statuses that are counted each at one destination; further ones count by their class, such as `4xx`. */
const statusesMax = 20

export type DelayKind = Extract<HistoryKind, 'deliveryMs' | 'answerMs' | 'loadMs'>

interface Place {
  readonly workspaceId: string
  readonly destinationId: string
  /** By source. */
  readonly retried: Map<string, number>
  readonly answered: Map<string, number>
  readonly delays: Map<DelayKind, DelayCounts>
}

/** What is measured beside the counters, in the memory of this process, until the minute ends. */
export class MinuteMeasures {
  /** By workspace and source: each call adds to it, so no key is put together. */
  #bytes = new Map<string, Map<string, number>>()
  #places = new Map<string, Place>()

  /** A source has sent a body. */
  received(workspaceId: string, sourceId: string, bytes: number): void {
    if (bytes === 0) return
    let sources = this.#bytes.get(workspaceId)
    if (sources === undefined) {
      sources = new Map()
      this.#bytes.set(workspaceId, sources)
    }
    sources.set(sourceId, (sources.get(sourceId) ?? 0) + bytes)
  }

  /** Events of a source were tried again at a destination. */
  retried(workspaceId: string, sourceId: string, destinationId: string, events: number): void {
    const { retried } = this.#place(workspaceId, destinationId)
    retried.set(sourceId, (retried.get(sourceId) ?? 0) + events)
  }

  /** A destination answered. @param status of its reply, or why there is none. */
  answered(workspaceId: string, destinationId: string, status: number | 'network' | 'unsendable', ms: number): void {
    const place = this.#place(workspaceId, destinationId)
    const known = place.answered.has(String(status)) || place.answered.size < statusesMax
    const reason = known || typeof status === 'string' ? String(status) : `${Math.floor(status / 100)}xx`
    place.answered.set(reason, (place.answered.get(reason) ?? 0) + 1)
    if (typeof status === 'number') delaysOf(place, 'answerMs').record(ms)
  }

  delays(workspaceId: string, destinationId: string, kind: DelayKind): DelayCounts {
    return delaysOf(this.#place(workspaceId, destinationId), kind)
  }

  /** Returns what was measured since the last call. */
  take(): readonly HistoryRow[] {
    const [bytes, places] = [this.#bytes, this.#places]
    this.#bytes = new Map()
    this.#places = new Map()
    const received = [...bytes].flatMap(([workspaceId, sources]) =>
      [...sources].map(([sourceId, count]) => ({
        workspaceId,
        sourceId,
        destinationId: '',
        kind: 'bytes' as const,
        reason: '',
        count,
      })),
    )
    return [...received, ...[...places.values()].flatMap(rowsOf)]
  }

  #place(workspaceId: string, destinationId: string): Place {
    // Ids have no line break.
    const key = `${workspaceId}\n${destinationId}`
    let place = this.#places.get(key)
    if (place === undefined) {
      place = { workspaceId, destinationId, retried: new Map(), answered: new Map(), delays: new Map() }
      this.#places.set(key, place)
    }
    return place
  }
}

function delaysOf({ delays }: Place, kind: DelayKind): DelayCounts {
  let counts = delays.get(kind)
  if (counts === undefined) {
    counts = new DelayCounts()
    delays.set(kind, counts)
  }
  return counts
}

function rowsOf({ workspaceId, destinationId, retried, answered, delays }: Place): readonly HistoryRow[] {
  const shared = { workspaceId, sourceId: '', destinationId }
  return [
    ...[...retried].map(([sourceId, count]) => ({ ...shared, sourceId, kind: 'retried' as const, reason: '', count })),
    ...[...answered].map(([reason, count]) => ({ ...shared, kind: 'answered' as const, reason, count })),
    ...[...delays].flatMap(([kind, counts]) => counts.rows().map((row) => ({ ...shared, kind, ...row }))),
  ]
}
