import './charts.css'
import type { EventState } from '../event-state.ts'

interface MeterProps {
  /** 0 to 1. */
  readonly share: number
  readonly state?: EventState
  /** For screen readers; without it the bar is a decoration of a number beside it. */
  readonly label?: string
}

/** The least width of what is not zero, in per cent. */
const leastWidth = 0.6

/** A share of a whole as a bar. */
export function Meter({ share, state = 'ink', label }: MeterProps) {
  const width = share > 0 ? Math.min(100, Math.max(leastWidth, share * 100)) : 0
  return (
    <svg
      class={`meter ${state}`}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <rect class="whole" width="100%" height="100%" rx="2" />
      <rect class="part" width={`${width}%`} height="100%" rx="2" />
    </svg>
  )
}
