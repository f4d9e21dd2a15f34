import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Panel } from '../../parts/page/panel.tsx'
import { Legend } from '../../parts/signs/legend.tsx'
import { addUp, type DestinationSums } from '../watch/destination-sums.ts'
import { changeFlags, type RecentChange } from '../watch/recent-changes.ts'
import { slotsOf, type WatchedHistory } from '../watch/watched-history.ts'

interface DeliveredChartProps {
  readonly history: WatchedHistory
  readonly sums: readonly DestinationSums[]
  readonly changes: readonly RecentChange[]
  /** Destinations that do not answer now, and since when. */
  readonly silent: readonly { readonly name: string; readonly since: string }[]
}

/** Delivered and failed over time, with flags for what may be the cause. */
export function DeliveredChart({ history, sums, changes, silent }: DeliveredChartProps) {
  const perMinute = 60_000 / history.everyMs
  const slots = slotsOf(history)
  const stops = silent.map(({ name, since }) => ({
    at: Date.parse(since),
    text: `${name} stops answering`,
    state: 'bad' as const,
  }))
  const flags = [...changeFlags(changes), ...stops].filter(({ at }) => at >= history.from).sort((a, b) => a.at - b.at)
  const bands = silent.map(({ since }) => ({
    from: Math.max(history.from, Date.parse(since)),
    to: Math.min(history.until, Date.now()),
    state: 'bad' as const,
  }))
  const length = durationText(history.everyMs)
  return (
    <Panel
      title="Delivered a minute"
      actions={
        <Legend
          items={[
            { state: 'good', text: 'Delivered' },
            { state: 'bad', text: `Failed, in ${length}` },
          ]}
        />
      }
    >
      <TimeChart
        label="Events delivered a minute"
        slots={slots}
        series={[
          {
            name: 'delivered a minute',
            state: 'good',
            kind: 'area',
            values: addUp(sums.map((each) => each.deliveredCounts)).map((count) => count * perMinute),
          },
        ]}
        flags={flags}
        bands={bands}
        format={(value) => (value < 10 && value % 1 !== 0 ? value.toFixed(1) : countText(Math.round(value)))}
      />
      <TimeChart
        label={`Failed events in ${length}`}
        slots={slots}
        series={[{ name: 'failed', state: 'bad', kind: 'bars', values: addUp(sums.map((each) => each.failedCounts)) }]}
        bands={bands}
        size="low"
      />
    </Panel>
  )
}
