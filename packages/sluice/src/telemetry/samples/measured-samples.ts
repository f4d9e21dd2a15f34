import type { Instruments } from '../instruments.ts'
import { type Labels, metricTable, type Sample } from '../metric-table.ts'

/** Largest number of series. Only a workspace with thousands of destinations, or as many changes, reaches it. */
const seriesMax = 10_000

interface Series {
  readonly name: string
  readonly labels: Labels
  /** Count per bucket, the last one unbounded; empty for a counter. */
  readonly counts: number[]
  sum: number
}

export interface MeasuredSamples extends Instruments {
  /** Returns the measurements of these workspaces, and those of no workspace. */
  samples(workspaceIds: readonly string[]): readonly Sample[]
}

/** Counters and histograms in memory. */
export function createMeasuredSamples(): MeasuredSamples {
  const series = new Map<string, Series>()
  const seriesOf = (name: string, labels: Labels): Series | undefined => {
    const key = JSON.stringify([name, labels])
    const known = series.get(key)
    if (known || series.size >= seriesMax) return known
    const { buckets = [], type } = metricTable[name] ?? {}
    const made = { name, labels, counts: type === 'histogram' ? Array(buckets.length + 1).fill(0) : [], sum: 0 }
    series.set(key, made)
    return made
  }
  return {
    add: (name, labels, value) => {
      const found = seriesOf(name, labels)
      if (found) found.sum += value
    },
    record: (name, labels, value) => {
      const found = seriesOf(name, labels)
      if (found === undefined) return
      const { buckets = [] } = metricTable[name] ?? {}
      const place = buckets.findIndex((bound) => value <= bound)
      const bucket = place < 0 ? buckets.length : place
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1
      found.sum += value
    },
    samples: (workspaceIds) =>
      [...series.values()]
        .filter(({ labels: { workspace } }) => workspace === undefined || workspaceIds.includes(workspace))
        .flatMap((each) => (each.counts.length === 0 ? [{ ...each, value: each.sum }] : histogram(each))),
  }
}

function histogram({ name, labels, counts, sum }: Series): readonly Sample[] {
  const { buckets = [] } = metricTable[name] ?? {}
  let below = 0
  const cumulative = counts.map((count, i) => {
    below += count
    return { name: `${name}_bucket`, labels: { ...labels, le: String(buckets[i] ?? '+Inf') }, value: below }
  })
  return [...cumulative, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: below }]
}
