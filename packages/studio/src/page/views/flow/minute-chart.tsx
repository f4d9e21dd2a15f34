import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import type { changeFlags } from '../watch/recent-changes.ts'
import { slotsOf, type WatchedHistory } from '../watch/watched-history.ts'

interface MinuteChartProps {
  readonly title: string
  readonly name: string
  readonly counts: readonly number[]
  readonly history: WatchedHistory
  readonly flags?: ReturnType<typeof changeFlags>
}

/** One count a minute over the range that is looked at, with flags for changes. */
export function MinuteChart({ title, name, counts, history, flags = [] }: MinuteChartProps) {
  const perMinute = 60_000 / history.everyMs
  return (
    <div>
      <h3>{title}</h3>
      <TimeChart
        label={`${title}, ${name}`}
        slots={slotsOf(history)}
        series={[
          { name: title.toLowerCase(), state: 'good', kind: 'area', values: counts.map((count) => count * perMinute) },
        ]}
        flags={flags.filter(({ at }) => at >= history.from)}
        size="mid"
      />
    </div>
  )
}
