import '../charts.css'
import type { EventState } from '../../event-state.ts'
import { shortCount } from '../../format/short-count.ts'
import { plotHeight, plotWidth, rounded } from '../plot-line.ts'
import { ChartTable } from './chart-table.tsx'
import { ReadingLine } from './reading-line.tsx'
import { SeriesShapes } from './series-shapes.tsx'
import { FlagList, TimeFlags } from './time-flags.tsx'
import { endOf, partOf, stackedSeries, type TimeFlag, type TimeSeries, type TimeSlots } from './time-series.ts'
import { timeTicks } from './time-ticks.ts'
import { linearScale, powerScale } from './value-scale.ts'

interface TimeChartProps {
  /** What it shows, as a sentence: "Delivered and failed in the last 24 hours". */
  readonly label: string
  readonly slots: TimeSlots
  readonly series: readonly TimeSeries[]
  readonly flags?: readonly TimeFlag[]
  /** Times of a state, such as a pause: from and to in milliseconds since the epoch. */
  readonly bands?: readonly { readonly from: number; readonly to: number; readonly state: EventState }[]
  readonly format?: (value: number) => string
  /** Powers of ten, for delays. */
  readonly isByPowers?: boolean
  /** Bars on top of each other, the first series at the top. */
  readonly isStacked?: boolean
  readonly size?: 'low' | 'mid' | 'tall' | 'grow'
}

/** A chart over time: lines, axes, flags, a line to read values with, and a table. */
export function TimeChart(props: TimeChartProps) {
  const { label, slots, series, flags = [], bands = [], format = shortCount, isByPowers, isStacked, size = '' } = props
  const drawn = isStacked ? stackedSeries(series) : series
  const values = drawn.flatMap(({ values }) => values.filter((value) => value !== undefined))
  const { ticks, toY } = isByPowers ? powerScale(values) : linearScale(values.reduce((a, b) => Math.max(a, b), 0))
  const x = (at: number): number => rounded(partOf(slots, at) * 100)
  return (
    <div class="chart-with-table">
      <figure class={`chart ${size}`}>
        <div class="chart-y" aria-hidden="true">
          {[...ticks].reverse().map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        <div class="chart-plot">
          <svg role="img" aria-label={label}>
            {ticks.map((value) => (
              <line key={value} class="gridline" x1="0" x2="100%" y1={`${toY(value)}%`} y2={`${toY(value)}%`} />
            ))}
            {bands.map(({ from, to, state }) => (
              <rect key={from} class={`band ${state}`} x={`${x(from)}%`} width={`${x(to) - x(from)}%`} height="100%" />
            ))}
            <svg
              class="chart-data"
              aria-hidden="true"
              viewBox={`0 0 ${plotWidth} ${plotHeight}`}
              preserveAspectRatio="none"
            >
              {drawn.map((each) => (
                <SeriesShapes key={each.name} series={each} toY={toY} />
              ))}
            </svg>
            <TimeFlags flags={flags} slots={slots} />
          </svg>
          <ReadingLine label={label} slots={slots} series={series} format={format} />
        </div>
        <div class="chart-x" aria-hidden="true">
          {timeTicks(slots.from, endOf(slots)).map(({ part, text }) => (
            <span key={part} style={{ left: `${rounded(part * 100)}%` }}>
              {text}
            </span>
          ))}
        </div>
      </figure>
      <FlagList flags={flags} />
      <ChartTable label={label} slots={slots} series={series} format={format} />
    </div>
  )
}
