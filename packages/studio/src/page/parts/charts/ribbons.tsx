import './charts.css'
import { useId } from 'preact/hooks'
import type { EventState } from '../event-state.ts'
import { plotWidth, rounded } from './plot-line.ts'

/** A band from one column to the next. */
export interface Ribbon {
  readonly id: string
  /** Top and bottom at the left, and at the right, in the units of `height`. */
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
  readonly state: EventState
  /** Ends where it goes, such as what is filtered. */
  readonly isFaded?: boolean
}

interface RibbonsProps {
  readonly height: number
  readonly ribbons: readonly Ribbon[]
  /** Ids of those that are stronger. */
  readonly chosen?: ReadonlySet<string>
}

/** Bands between two columns, as wide as what they carry. A picture: its numbers must stand beside it. */
export function Ribbons({ height, ribbons, chosen }: RibbonsProps) {
  const fade = `${useId()}-fade`
  return (
    <svg class="ribbons" viewBox={`0 0 ${plotWidth} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <linearGradient id={fade}>
        <stop class="fade-from" />
        <stop class="fade-to" offset="1" />
      </linearGradient>
      {ribbons.map(({ id, from, to, state, isFaded }) => (
        <path
          key={id}
          class={`ribbon ${state}${isFaded ? ' fade' : ''}${chosen?.has(id) ? ' chosen' : ''}`}
          style={isFaded ? { fill: `url(#${fade})` } : undefined}
          d={ribbonPath(from, to)}
        />
      ))}
    </svg>
  )
}

function ribbonPath([a, b]: Ribbon['from'], [c, d]: Ribbon['to']): string {
  const middle = plotWidth / 2
  const upper = `M0 ${rounded(a)}C${middle} ${rounded(a)} ${middle} ${rounded(c)} ${plotWidth} ${rounded(c)}`
  const lower = `L${plotWidth} ${rounded(d)}C${middle} ${rounded(d)} ${middle} ${rounded(b)} 0 ${rounded(b)}Z`
  return upper + lower
}
