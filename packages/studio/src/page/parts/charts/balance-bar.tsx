import './charts.css'
import { countText } from '../format/count.tsx'
import { shareText } from '../format/share-text.ts'
import { type BalancePart, balanceParts } from './balance-parts.ts'
import { rounded } from './plot-line.ts'

interface BalanceBarProps {
  /** What is divided, such as "CRM, last 24 hours". */
  readonly label: string
  /** Name of the whole. */
  readonly title?: string
  readonly whole: number
  readonly parts: readonly BalancePart[]
  /** With the legend as a list below each other, for narrow places. */
  readonly isSlim?: boolean
}

/** A whole and the parts that add up to it, with their numbers. What is missing is shown as such. */
export function BalanceBar({ label, title = 'Came in', whole, parts, isSlim }: BalanceBarProps) {
  const drawn = balanceParts(whole, parts)
  const text = drawn.map(({ name, value }) => `${countText(value)} ${name.toLowerCase()}`).join(', ')
  return (
    <div class={`balance${isSlim ? ' slim' : ''}`}>
      <svg role="img" aria-label={`${label}: ${countText(whole)} is ${text}`}>
        {drawn.map(({ name, state, left, width }) =>
          width === 0 ? null : (
            <rect key={name} class={state} x={`${rounded(left)}%`} width={`${rounded(width)}%`} height="100%" />
          ),
        )}
      </svg>
      <ul>
        <li class="whole">
          <span>{title}</span>
          <b>{countText(whole)}</b>
        </li>
        {drawn.map(({ name, value, state, href }) => (
          <li key={name} class={state}>
            <i class={`swatch ${state}`} />
            <span>{href === undefined ? name : <a href={href}>{name}</a>}</span>
            <b>{countText(value)}</b>
            <small>{shareText(value, whole)}</small>
          </li>
        ))}
      </ul>
    </div>
  )
}
