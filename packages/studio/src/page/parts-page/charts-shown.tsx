import { BalanceBar } from '../parts/charts/balance-bar.tsx'
import { Meter } from '../parts/charts/meter.tsx'
import { Ribbons } from '../parts/charts/ribbons.tsx'
import { Spark } from '../parts/charts/spark.tsx'
import { SparkBars } from '../parts/charts/spark-bars.tsx'
import { TimeChart } from '../parts/charts/time/time-chart.tsx'
import { durationText } from '../parts/format/duration-text.ts'
import { Panel } from '../parts/page/panel.tsx'
import { Legend } from '../parts/signs/legend.tsx'

const from = Date.UTC(2026, 0, 5)
const everyMs = 900_000
const wave = Array.from({ length: 96 }, (_, n) => Math.round(1_000 + 900 * Math.sin(n / 12)))
const slots = { from, everyMs, count: wave.length }
const withGap = wave.map((value, n) => (n > 40 && n < 50 ? undefined : value / 3))

/** Charts, with values that anyone can check by eye. */
export function ChartsShown() {
  return (
    <>
      <Panel
        title="Over time"
        actions={
          <Legend
            items={[
              { state: 'good', text: 'Delivered', value: '96 k' },
              { state: 'bad', text: 'Failed' },
            ]}
          />
        }
      >
        <TimeChart
          label="Delivered and failed in one day"
          slots={slots}
          series={[
            { name: 'delivered', state: 'good', kind: 'area', values: wave },
            { name: 'failed', state: 'bad', kind: 'bars', values: wave.map((_, n) => (n % 16 === 3 ? 200 : 0)) },
          ]}
          flags={[
            { at: from + 40 * everyMs, text: 'mask orders v6 published', state: 'bad', href: '#v6' },
            { at: from + 42 * everyMs, text: 'back to v5' },
          ]}
          bands={[{ from: from + 40 * everyMs, to: from + 42 * everyMs, state: 'bad' }]}
        />
        <TimeChart
          label="Half within, in one day"
          slots={slots}
          series={[{ name: 'half within', state: 'wait', values: withGap }]}
          format={durationText}
          isByPowers
          size="mid"
        />
        <div class="grid three">
          <Spark values={wave} label="Delivered, rising and falling" />
          <Spark values={withGap} state="wait" />
          <SparkBars values={[1, 0, 3, 0, 8, 2, 0, 1, 4]} label="Failed, at most 8" />
        </div>
      </Panel>
      <Panel title="A whole and its parts">
        <BalanceBar
          label="CRM, one day"
          whole={1_000}
          parts={[
            { name: 'Delivered', value: 760, state: 'good' },
            { name: 'Filtered', value: 200, state: 'idle' },
            { name: 'Failed', value: 12, state: 'bad', href: '#failed' },
            { name: 'Waiting', value: 28, state: 'wait' },
          ]}
        />
        <BalanceBar
          label="Orders, one day"
          whole={1_000}
          parts={[
            { name: 'Delivered', value: 990, state: 'good' },
            { name: 'Failed', value: 3, state: 'bad' },
          ]}
          isSlim
        />
        <Meter share={0.6} label="60 % of the budget" />
        <div style={{ height: '6rem' }}>
          <Ribbons
            height={100}
            ribbons={[
              { id: 'all', from: [10, 60], to: [0, 50], state: 'good' },
              { id: 'filtered', from: [60, 90], to: [70, 100], state: 'idle', isFaded: true },
            ]}
            chosen={new Set(['all'])}
          />
        </div>
      </Panel>
    </>
  )
}
