import type { HistoryRow, HistorySlot, HistoryStore } from '@sluice/pipeline'
import { boundSeries, historyKept, seriesKey, slotOf, sumSeries } from '@sluice/pipeline/store'
import { WriteIds } from '../write-ids.ts'
import type { MemoryCounterStore } from './memory-counter-store.ts'

export function createMemoryHistoryStore(
  counters: Pick<MemoryCounterStore, 'snapNow' | 'unmovedNow'>,
  requireOpen: () => void,
): HistoryStore {
  /** By length of the slots, and workspace. */
  const slots = new Map<number, Map<string, HistorySlot[]>>(historyKept.map(({ everyMs }) => [everyMs, new Map()]))
  const writeIds = new WriteIds()
  const addNow = (at: number, rows: readonly HistoryRow[]): void => {
    for (const workspaceId of new Set(rows.map((row) => row.workspaceId)))
      for (const [everyMs, byWorkspace] of slots) {
        const kept = byWorkspace.get(workspaceId) ?? []
        const start = slotOf(at, everyMs)
        const there = kept.filter((row) => row.at === start)
        const own = rows.filter((row) => row.workspaceId === workspaceId)
        const added = boundSeries(own, new Set(there.map(seriesKey))).map((row) => ({ ...row, at: start }))
        byWorkspace.set(workspaceId, [...kept.filter((row) => row.at !== start), ...sumSeries([...there, ...added])])
      }
  }
  return {
    snap: async (at) => {
      requireOpen()
      addNow(at, counters.snapNow())
    },
    add: async (at, rows, writeId) => {
      requireOpen()
      if (writeIds.note(writeId)) addNow(at, rows)
    },
    read: async ({ workspaceId, since, until, everyMs, fromMs, kinds }) => {
      requireOpen()
      const isChosen = (row: HistoryRow): boolean => kinds?.includes(row.kind) ?? true
      const kept = slots.get(fromMs)?.get(workspaceId) ?? []
      const bySlot = new Map<number, HistorySlot[]>()
      for (const row of kept) {
        if (row.at < since || row.at >= until || !isChosen(row)) continue
        const at = slotOf(row.at, everyMs)
        bySlot.set(at, [...(bySlot.get(at) ?? []), { ...row, at }])
      }
      return {
        slots: [...bySlot].sort(([a], [b]) => a - b).flatMap(([, rows]) => sumSeries(rows)),
        unmoved: counters.unmovedNow().filter((row) => row.workspaceId === workspaceId && isChosen(row)),
      }
    },
    prune: async (now) => {
      requireOpen()
      for (const { everyMs, keptMs } of historyKept)
        for (const [workspaceId, rows] of slots.get(everyMs) ?? [])
          slots.get(everyMs)?.set(
            workspaceId,
            rows.filter(({ at }) => at >= now - keptMs),
          )
    },
  }
}
