import type { Event } from '@sluice/core'
import type { EventTime, EventTimes } from './bench-report.ts'
import { warmUp } from './measure-cell.ts'
import type { OpenCell } from './open-cell.ts'
import { quantile } from './spread.ts'
import type { Survey } from './survey.ts'

/** Most events measured one by one; beyond that, a sample at even distances. */
const eventsMax = 1_000
/** Number of runs per event; the shortest counts. */
const rounds = 5
const outliersMax = 10
/** An outlier takes at least this many times the median, … */
const outlierFactor = 3
/** … and longer than noise of the clock and the computer. */
const noiseMs = 0.2

/**
 * Measures events one by one, in rounds while there is time: a sample at even distances, plus the events that took
 * longest when all were run, so that a single slow one among many is not missed. An event that is fast in any round is
 * not an outlier.
 */
export async function measureEventTimes(
  open: OpenCell,
  events: readonly Event[],
  { timesMs, meanMs }: Pick<Survey, 'timesMs' | 'meanMs'>,
  timeMs: number,
): Promise<EventTimes> {
  const surveyed = [...timesMs]
  const sampleMax = Math.max(1, Math.min(eventsMax, Math.floor(timeMs / 2 / meanMs)))
  const sample = new Set(surveyed.slice(0, sampleMax).map(([index]) => index))
  const longest = surveyed.sort(([, a], [, b]) => b - a).slice(0, outliersMax)
  const measured = [...new Set([...sample, ...longest.map(([index]) => index)])]
  await warmUp(open, events.slice(0, 1), timeMs / 10)
  const times = new Map<number, number>()
  const end = performance.now() + timeMs
  for (let round = 0; round < rounds; round += 1)
    for (const index of measured) {
      const startedAt = performance.now()
      const known = times.get(index) ?? timesMs.get(index)
      if (startedAt >= end && known !== undefined) times.set(index, known)
      else {
        await open.run(events.slice(index, index + 1))
        times.set(index, Math.min(times.get(index) ?? Number.POSITIVE_INFINITY, performance.now() - startedAt))
      }
    }
  const all = [...times]
    .map(([index, each]): EventTime => ({ index, messageId: messageIdOf(events[index]), timeMs: each }))
    .sort((a, b) => a.index - b.index)
  return summary(all, sample)
}

/** @param sample the events that represent the distribution; the others were added because they take long. */
function summary(all: readonly EventTime[], sample: ReadonlySet<number>): EventTimes {
  const sorted = all.flatMap(({ index, timeMs }) => (sample.has(index) ? timeMs : [])).sort((a, b) => a - b)
  const p50Ms = quantile(sorted, 0.5)
  const outliers = all
    .filter(({ timeMs }) => timeMs > p50Ms * outlierFactor && timeMs - p50Ms > noiseMs)
    .sort((a, b) => b.timeMs - a.timeMs)
  return {
    p50Ms,
    p99Ms: quantile(sorted, 0.99),
    maxMs: all.reduce((most, { timeMs }) => Math.max(most, timeMs), 0),
    all,
    outliers: outliers.slice(0, outliersMax),
  }
}

function messageIdOf(event: Event | undefined): string | null {
  return typeof event?.messageId === 'string' ? event.messageId : null
}
