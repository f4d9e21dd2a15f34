import type { Mutable } from '../../mutable.ts'
import type { HistoryKind, HistoryRow } from '../../ports/stores/history-store.ts'
import { DelayCounts } from './delay-buckets.ts'

/** Statuses that are counted each at one destination; further ones count by their class, such as `4xx`. */
const statusesMax = 20

export type DelayKind = Extract<HistoryKind, 'deliveryMs' | 'answerMs' | 'loadMs'>

interface Place {
  readonly workspaceId: string
  readonly destinationId: string
  readonly answered: Map<string, number>
  readonly delays: Map<DelayKind, DelayCounts>
}

/** What is measured beside the counters, in the memory of this process, until the minute ends. */
export class MinuteMeasures {
  #amounts = new Map<string, Mutable<HistoryRow>>()
  #places = new Map<string, Place>()

  /** Adds to an amount without a reason. 0 does nothing. */
  add(
    workspaceId: string,
    { sourceId = '', destinationId = '' }: { readonly sourceId?: string; readonly destinationId?: string },
    kind: Extract<HistoryKind, 'retried' | 'bytes'>,
    count: number,
  ): void {
    if (count === 0) return
    // Ids have no line break.
    const key = `${kind}\n${workspaceId}\n${sourceId}\n${destinationId}`
    const row = this.#amounts.get(key)
    if (row) row.count += count
    else this.#amounts.set(key, { workspaceId, sourceId, destinationId, kind, reason: '', count })
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
    const [amounts, places] = [this.#amounts, this.#places]
    this.#amounts = new Map()
    this.#places = new Map()
    return [...amounts.values(), ...[...places.values()].flatMap(rowsOf)]
  }

  #place(workspaceId: string, destinationId: string): Place {
    const key = `${workspaceId}\n${destinationId}`
    let place = this.#places.get(key)
    if (place === undefined) {
      place = { workspaceId, destinationId, answered: new Map(), delays: new Map() }
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

function rowsOf({ workspaceId, destinationId, answered, delays }: Place): readonly HistoryRow[] {
  const shared = { workspaceId, sourceId: '', destinationId }
  return [
    ...[...answered].map(([reason, count]) => ({ ...shared, kind: 'answered' as const, reason, count })),
    ...[...delays].flatMap(([kind, counts]) => counts.rows().map((row) => ({ ...shared, kind, ...row }))),
  ]
}
