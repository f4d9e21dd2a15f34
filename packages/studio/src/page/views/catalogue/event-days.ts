import type { CatalogueDetail } from '@sluice/http'
import type { TimeSlots } from '../../parts/charts/time/time-series.ts'

const dayMs = 86_400_000
/** Days that are shown at least: one day alone is no line. */
const daysMin = 7

export interface EventDays {
  readonly slots: TimeSlots
  /** Events of each day, the last one being today. */
  readonly counts: readonly number[]
}

/** Returns the events of each day in UTC, from the first day with events to today. */
export function eventDays(days: CatalogueDetail['days'], now: number): EventDays {
  const today = Math.floor(now / dayMs)
  const byDay = new Map(days.map(({ day, events }) => [Date.parse(day) / dayMs, events]))
  const first = Math.min(today - daysMin + 1, ...byDay.keys())
  const counts = Array.from({ length: today - first + 1 }, (_, n) => byDay.get(first + n) ?? 0)
  return { slots: { from: first * dayMs, everyMs: dayMs, count: counts.length }, counts }
}
