import { joinedSeries, seriesKey, seriesMax } from '../../ports/stores/bound-series.ts'
import {
  type HistoryKind,
  type HistoryRead,
  type HistoryRow,
  type HistorySlot,
  slotOf,
} from '../../ports/stores/history-store.ts'
import { DelayCounts } from './delay-counts.ts'
import type { HistoryRange } from './history-range.ts'
import type { DelayKind } from './minute-measures.ts'

/** What was counted in one series. */
export interface HistorySeries {
  readonly sourceId: string
  readonly destinationId?: string
  readonly kind: HistoryKind
  readonly reason?: string
  readonly total: number
  /** One per slot, the oldest first. */
  readonly counts: readonly number[]
}

/** Within how many milliseconds half of the delays were, and 99 of 100: at most that. Absent when longer than three hours. */
export interface DelayBounds {
  readonly halfWithinMs?: number | undefined
  readonly almostAllWithinMs?: number | undefined
  readonly count: number
}

type DelayOf = 'delivery' | 'answer' | 'load'

export interface HistoryDelays extends DelayBounds {
  readonly destinationId: string
  readonly of: DelayOf
  /** One per slot, the oldest first. */
  readonly slots: readonly DelayBounds[]
}

/** The age of the oldest event that waited for a destination. */
export interface HistoryWaiting {
  readonly destinationId: string
  /** The highest of each slot in milliseconds, the oldest first; 0 when nothing waited at the end of a minute. */
  readonly agesMs: readonly number[]
}

/** What happened in a workspace over time. */
export interface HistoryReport {
  readonly series: readonly HistorySeries[]
  readonly delays: readonly HistoryDelays[]
  readonly oldestWaiting: readonly HistoryWaiting[]
}

const delayNames: Readonly<Record<DelayKind, DelayOf>> = { deliveryMs: 'delivery', answerMs: 'answer', loadMs: 'load' }
const isDelay = (kind: HistoryKind): kind is DelayKind => kind in delayNames

/**
 * Arranges what a store has by series, in order of source, destination, kind and reason.
 * @param now what is not moved into the history yet is shown in the slot of this time, in milliseconds since the epoch.
 */
export function toHistoryReport(
  { slots, unmoved }: HistoryRead,
  { since, until, everyMs }: HistoryRange,
  now: number,
): HistoryReport {
  const length = Math.round((until - since) / everyMs)
  const present = slotOf(now, everyMs)
  const isPresent = present >= since && present < until
  const all: readonly HistorySlot[] = [...slots, ...(isPresent ? unmoved.map((row) => ({ ...row, at: present })) : [])]
  const place = ({ at }: HistorySlot): number => Math.round((at - since) / everyMs)
  const waiting = all.filter(({ kind }) => kind === 'oldestWaiting')
  return {
    series: seriesOf(
      all.filter(({ kind }) => kind !== 'oldestWaiting' && !isDelay(kind)),
      length,
      place,
    ),
    delays: delaysOf(all, length, place),
    oldestWaiting: [...grouped(waiting, ({ destinationId }) => destinationId)].map(([destinationId, rows]) => {
      const agesMs = new Array<number>(length).fill(0)
      for (const row of rows) agesMs[place(row)] = Math.max(agesMs[place(row)] ?? 0, row.count)
      return { destinationId, agesMs }
    }),
  }
}

/** At most so many series: the smallest are joined, so that sums stay exact. */
function seriesOf(
  rows: readonly HistorySlot[],
  length: number,
  place: (row: HistorySlot) => number,
): readonly HistorySeries[] {
  const largest = [...grouped(rows, seriesKey).values()].sort((a, b) => totalOf(b) - totalOf(a))
  const shown = largest.slice(0, seriesMax).flat()
  const joined = largest.slice(seriesMax).flatMap((some) => some.map(joinedSeries))
  return [...grouped([...shown, ...joined] as readonly HistorySlot[], seriesKey)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, some]) => {
      const counts = new Array<number>(length).fill(0)
      for (const row of some) counts[place(row)] = (counts[place(row)] ?? 0) + row.count
      const [first] = some
      if (first === undefined) return []
      const { sourceId, destinationId, kind, reason } = first
      const where = { sourceId, destinationId: destinationId || undefined, kind, reason: reason || undefined }
      return { ...where, total: totalOf(some), counts }
    })
}

function delaysOf(
  rows: readonly HistorySlot[],
  length: number,
  place: (row: HistorySlot) => number,
): readonly HistoryDelays[] {
  const delays = rows.filter(({ kind }) => isDelay(kind))
  return [...grouped(delays, ({ destinationId, kind }) => JSON.stringify([destinationId, kind])).values()]
    .sort(([a], [b]) => ((a?.destinationId ?? '') < (b?.destinationId ?? '') ? -1 : 1))
    .flatMap((some) => {
      const [first] = some
      if (first === undefined || !isDelay(first.kind)) return []
      const all = new DelayCounts()
      const bySlot = Array.from({ length }, () => new DelayCounts())
      for (const row of some) {
        all.add(row.reason, row.count)
        bySlot[place(row)]?.add(row.reason, row.count)
      }
      const { destinationId, kind } = first
      return { destinationId, of: delayNames[kind], ...boundsOf(all), slots: bySlot.map(boundsOf) }
    })
}

function boundsOf(counts: DelayCounts): DelayBounds {
  return { halfWithinMs: counts.within(0.5), almostAllWithinMs: counts.within(0.99), count: counts.total }
}

const totalOf = (rows: readonly HistoryRow[]): number => rows.reduce((sum, { count }) => sum + count, 0)

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
