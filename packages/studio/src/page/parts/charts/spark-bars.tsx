import './charts.css'
import type { EventState } from '../event-state.ts'
import { plotHeight, plotWidth, rounded } from './plot-line.ts'

interface SparkBarsProps {
  readonly values: readonly number[]
  readonly state?: EventState
  /** For screen readers; without it the bars are a decoration of a number beside them. */
  readonly label?: string
}

/** The least height of what is not zero, so that one event in a thousand is seen. */
const leastHeight = 8
const zeroHeight = 3

/** Small bars without axes. */
export function SparkBars({ values, state = 'bad', label }: SparkBarsProps) {
  if (values.length === 0) return null
  const highest = Math.max(1e-9, ...values)
  const step = plotWidth / Math.max(1, values.length)
  return (
    <svg
      class={`spark bars ${state}`}
      viewBox={`0 0 ${plotWidth} ${plotHeight}`}
      preserveAspectRatio="none"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
    >
      {values.map((value, n) => {
        const height = value === 0 ? zeroHeight : Math.max(leastHeight, (value / highest) * plotHeight)
        return (
          <rect
            key={n}
            class={value === 0 ? 'none' : ''}
            x={rounded((n + 0.12) * step)}
            y={rounded(plotHeight - height)}
            width={rounded(step * 0.76)}
            height={rounded(height)}
          />
        )
      })}
    </svg>
  )
}
