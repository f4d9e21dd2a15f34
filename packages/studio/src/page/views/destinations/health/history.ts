import type { HistoryReportAnswer } from '@sluice/http'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { allows, visitor } from '../../../api/session.ts'
import type { TimeSlots } from '../../../parts/charts/time/time-series.ts'

type Report = HistoryReportAnswer['workspaces'][number]
type Series = Report['series'][number]

/** What was counted over a range of time, in this workspace. */
export interface History extends Report {
  readonly slots: TimeSlots
}

/** How often a history is read: its last slot has only begun. */
const everyMs = 30_000

/**
 * Reads a history again and again; undefined until it is known, and for those who may not read it.
 * @param every length of a slot. Default: such that there are at most 200.
 */
export function useHistory(range: string, every?: string): History | undefined {
  const query = new URLSearchParams({ range, ...(every === undefined ? {} : { every }) })
  const path = `/v2/history?${query}`
  return usePolled(path, (signal) => readHistory(path, signal), everyMs).state.value.value
}

async function readHistory(path: string, signal: AbortSignal): Promise<History | undefined> {
  if (!allows('operate')) return undefined
  const { since, everyMs, until, workspaces } = await request<HistoryReportAnswer>(path, { signal })
  const own = workspaces.find(({ workspaceId }) => workspaceId === visitor.value?.workspace.id)
  const from = Date.parse(since)
  const slots = { from, everyMs, count: Math.round((Date.parse(until) - from) / everyMs) }
  return { workspaceId: '', series: [], delays: [], oldestWaiting: [], ...own, slots }
}

/** Returns the sum of all series that fit. */
export function totalOf({ series }: History, fits: (series: Series) => boolean): number {
  return series.filter(fits).reduce((sum, { total }) => sum + total, 0)
}

/** Returns the sums of all series that fit, one per slot. */
export function countsOf({ series, slots }: History, fits: (series: Series) => boolean): readonly number[] {
  const sums = Array.from({ length: slots.count }, () => 0)
  for (const { counts } of series.filter(fits))
    for (const [slot, count] of counts.entries()) sums[slot] = (sums[slot] ?? 0) + count
  return sums
}
