import type { HistoryReportAnswer } from '@sluice/http'
import { request } from '../../api/request.ts'
import { visitor } from '../../api/session.ts'

/** What was counted in this workspace over time. Times are milliseconds since the epoch. */
export interface WatchedHistory extends Omit<HistoryReportAnswer['workspaces'][number], 'workspaceId'> {
  readonly from: number
  readonly until: number
  readonly everyMs: number
}

type Series = WatchedHistory['series'][number]

/** The numbers of one kind at one place; without a place, of all. */
interface SeriesFilter {
  readonly kind: string
  readonly sourceId?: string
  readonly destinationId?: string
}

/** @param query parameters of `GET /v2/history`. */
export async function readWatchedHistory(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<WatchedHistory> {
  const path = `/v2/history?${new URLSearchParams(query)}`
  const { since, until, everyMs, workspaces } = await request<HistoryReportAnswer>(path, { signal })
  const own = workspaces.find(({ workspaceId }) => workspaceId === visitor.value?.workspace.id)
  return {
    from: Date.parse(since),
    until: Date.parse(until),
    everyMs,
    series: own?.series ?? [],
    delays: own?.delays ?? [],
    oldestWaiting: own?.oldestWaiting ?? [],
  }
}

/** Returns the series that fit. */
function seriesOf({ series }: WatchedHistory, filter: SeriesFilter): readonly Series[] {
  const { kind, sourceId, destinationId } = filter
  return series.filter(
    (each) =>
      each.kind === kind &&
      (sourceId === undefined || each.sourceId === sourceId) &&
      (destinationId === undefined || each.destinationId === destinationId) &&
      // What a source accepted is counted once by itself, and once for each destination.
      (destinationId !== undefined || (each.destinationId === undefined) === ofSources.has(kind)),
  )
}

const ofSources: ReadonlySet<string> = new Set(['received', 'rejected', 'suppressed', 'duplicate', 'accepted'])

export function totalOf(history: WatchedHistory, filter: SeriesFilter): number {
  return seriesOf(history, filter).reduce((sum, { total }) => sum + total, 0)
}

/** Returns the sum of all series that fit, for each slot. */
export function countsOf(history: WatchedHistory, filter: SeriesFilter): readonly number[] {
  const counts: number[] = Array.from({ length: slotCount(history) }, () => 0)
  for (const series of seriesOf(history, filter))
    for (const [n, count] of series.counts.entries()) counts[n] = (counts[n] ?? 0) + count
  return counts
}

/** Returns the sums by reason, the largest first. */
export function reasonsOf(
  history: WatchedHistory,
  filter: SeriesFilter,
): readonly { readonly reason: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { reason = '', total } of seriesOf(history, filter))
    if (total > 0) counts.set(reason, (counts.get(reason) ?? 0) + total)
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
}

function slotCount({ from, until, everyMs }: WatchedHistory): number {
  return Math.max(1, Math.round((until - from) / everyMs))
}

/** Returns the slots of a chart. */
export function slotsOf(history: WatchedHistory) {
  return { from: history.from, everyMs: history.everyMs, count: slotCount(history) }
}
