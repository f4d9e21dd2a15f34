import { clockText } from '../../format/clock-text.ts'
import { rounded } from '../plot-line.ts'
import { partOf, type TimeFlag, type TimeSlots } from './time-series.ts'

interface TimeFlagsProps {
  readonly flags: readonly TimeFlag[]
  readonly slots: TimeSlots
}

/** Flags nearer than this are below each other: a part of the width. */
const near = 0.06

/** Numbered flags in a chart. */
export function TimeFlags({ flags, slots }: TimeFlagsProps) {
  return (
    <>
      {flags.map(({ at, text, state = 'note' }, n) => {
        const part = partOf(slots, at)
        const isBelow = flags.slice(0, n).some((other) => Math.abs(part - partOf(slots, other.at)) < near)
        const x = `${rounded(part * 100)}%`
        const y = isBelow ? 27 : 8
        return (
          <g key={`${at} ${text}`} class={`flag ${state}`}>
            <line x1={x} x2={x} y1="0" y2="100%" />
            <circle cx={x} cy={y} r="8" />
            <text x={x} y={y}>
              {n + 1}
            </text>
          </g>
        )
      })}
    </>
  )
}

/** What the flags stand for, below the chart. */
export function FlagList({ flags }: { readonly flags: readonly TimeFlag[] }) {
  if (flags.length === 0) return null
  return (
    <ol class="flags">
      {flags.map(({ at, text, state = 'note', href }, n) => (
        <li key={`${at} ${text}`}>
          <i class={`flag-no ${state}`}>{n + 1}</i>
          <span>
            {href === undefined ? text : <a href={href}>{text}</a>}{' '}
            <time dateTime={new Date(at).toISOString()} title={new Date(at).toISOString()}>
              {clockText(at)}
            </time>
          </span>
        </li>
      ))}
    </ol>
  )
}
