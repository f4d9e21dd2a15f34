import { countText } from './count.tsx'

const width = 120
const height = 28

/** A small line of numbers over time, oldest first; its text is for readers of the screen. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  if (values.length < 2) return null
  const highest = Math.max(1, ...values)
  const step = width / (values.length - 1)
  const points = values.map(
    (value, n) => `${(n * step).toFixed(1)},${(height - 2 - (value / highest) * (height - 4)).toFixed(1)}`,
  )
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${label}, at most ${countText(highest)}`}
    >
      <polyline points={points.join(' ')} />
    </svg>
  )
}
