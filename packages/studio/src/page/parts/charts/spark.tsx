import './charts.css'
import type { EventState } from '../event-state.ts'
import { type Measured, plotArea, plotHeight, plotLine, plotWidth } from './plot-line.ts'
import { Shade, useShade } from './shade.tsx'

interface SparkProps {
  readonly values: readonly Measured[]
  readonly state?: EventState
  /** For screen readers; without it the line is a decoration of a number beside it. */
  readonly label?: string
}

/** A small line without axes. */
export function Spark({ values, state = 'good', label }: SparkProps) {
  const shade = useShade()
  if (values.length < 2) return null
  const highest = Math.max(1e-9, ...values.map((value) => value ?? 0)) * 1.08
  const toY = (value: number): number => plotHeight - (value / highest) * plotHeight
  return (
    <svg
      class={`spark ${state}`}
      viewBox={`0 0 ${plotWidth} ${plotHeight}`}
      preserveAspectRatio="none"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <Shade id={shade} state={state} />
      <path d={plotArea(values, toY)} fill={`url(#${shade})`} />
      <path class="stroke" d={plotLine(values, toY)} />
    </svg>
  )
}
