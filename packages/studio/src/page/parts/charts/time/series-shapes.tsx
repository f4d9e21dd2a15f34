import { plotArea, plotHeight, plotLine, plotWidth, rounded } from '../plot-line.ts'
import { Shade, useShade } from '../shade.tsx'
import type { TimeSeries } from './time-series.ts'

interface SeriesShapesProps {
  readonly series: TimeSeries
  readonly toY: (value: number) => number
}

/** The least height of a bar that is not zero. */
const leastHeight = 1.5

/** The line, area or bars of one series. */
export function SeriesShapes({ series: { state, kind = 'line', values }, toY }: SeriesShapesProps) {
  const shade = useShade()
  if (kind === 'bars') {
    const step = plotWidth / Math.max(1, values.length)
    return (
      <g class={state}>
        {values.map((value, n) => {
          if (!value) return null
          const top = Math.min(toY(value), plotHeight - leastHeight)
          const place = { x: rounded((n + 0.15) * step), width: rounded(step * 0.7) }
          return <rect key={n} class="bar" {...place} y={rounded(top)} height={rounded(plotHeight - top)} />
        })}
      </g>
    )
  }
  return (
    <g class={state}>
      {kind === 'area' ? (
        <>
          <Shade id={shade} state={state} />
          <path d={plotArea(values, toY, 'slots')} fill={`url(#${shade})`} />
        </>
      ) : null}
      <path class="stroke" d={plotLine(values, toY, 'slots')} />
    </g>
  )
}
