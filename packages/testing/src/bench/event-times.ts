import type { Event } from '@sluice/core'
import type { BenchReport, EventTime } from './bench-report.ts'
import { quantile } from './measure-cell.ts'
import type { OpenCell } from './open-cell.ts'

/** Events measured one by one; of more, a sample at even distances. */
const eventsMax = 1_000
/** Of several runs the shortest says what the event costs. */
const rounds = 5
const outliersMax = 10
/** An outlier takes at least so many times what half of the events take, … */
const outlierFactor = 3
/** … and longer than what the clock and the machine make of any event. */
const noiseMs = 0.2

/** Measures events one by one. Events that are over at once in each round are no outliers, whatever happened in one of them. */
export async function measureEvents(open: OpenCell, events: readonly Event[]): Promise<BenchReport['eventTimes']> {
  const step = Math.max(1, Math.ceil(events.length / eventsMax))
  const times = new Map<number, number>()
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < events.length; index += step) {
      const event = events[index]
      if (event === undefined) continue
      const startedAt = performance.now()
      await open.run([event])
      times.set(index, Math.min(times.get(index) ?? Number.POSITIVE_INFINITY, performance.now() - startedAt))
    }
  }
  const all = [...times].map(([index, timeMs]): EventTime => ({ index, messageId: messageIdOf(events[index]), timeMs }))
  const sorted = all.map(({ timeMs }) => timeMs).sort((a, b) => a - b)
  const p50Ms = quantile(sorted, 0.5)
  const outliers = all
    .filter(({ timeMs }) => timeMs > p50Ms * outlierFactor && timeMs - p50Ms > noiseMs)
    .sort((a, b) => b.timeMs - a.timeMs)
  return {
    p50Ms,
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? Number.NaN,
    all,
    outliers: outliers.slice(0, outliersMax),
  }
}

function messageIdOf(event: Event | undefined): string | null {
  return typeof event?.messageId === 'string' ? event.messageId : null
}
