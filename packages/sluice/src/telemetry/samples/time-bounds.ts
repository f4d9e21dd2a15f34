import type { Labels, Sample } from '../metric-table.ts'

/** Within how many milliseconds half of the times were, and 99 of 100: at most that. Absent when beyond the last bucket. */
export interface TimeBounds {
  readonly halfWithinMs?: number
  readonly almostAllWithinMs?: number
  readonly count: number
}

/**
 * Returns bounds of the times of a histogram in seconds, its series with these labels added up.
 * @returns undefined where nothing was measured.
 */
export function timeBounds(samples: readonly Sample[], name: string, labels: Labels = {}): TimeBounds | undefined {
  /** Times up to each bound, by bound in seconds. */
  const upTo = new Map<number, number>()
  for (const sample of samples) {
    if (sample.name !== `${name}_bucket`) continue
    if (Object.entries(labels).some(([key, value]) => sample.labels[key] !== value)) continue
    const { le = '+Inf' } = sample.labels
    const bound = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)
    upTo.set(bound, (upTo.get(bound) ?? 0) + sample.value)
  }
  const count = upTo.get(Number.POSITIVE_INFINITY) ?? 0
  if (count === 0) return undefined
  const bounds = [...upTo].sort(([a], [b]) => a - b)
  const within = (share: number): number | undefined => {
    const [bound = Number.POSITIVE_INFINITY] = bounds.find(([, below]) => below >= share * count) ?? []
    return Number.isFinite(bound) ? Math.round(bound * 1_000_000) / 1_000 : undefined
  }
  const [halfWithinMs, almostAllWithinMs] = [within(0.5), within(0.99)]
  return {
    ...(halfWithinMs === undefined ? {} : { halfWithinMs }),
    ...(almostAllWithinMs === undefined ? {} : { almostAllWithinMs }),
    count,
  }
}
