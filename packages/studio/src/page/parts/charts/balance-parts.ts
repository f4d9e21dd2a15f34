import type { EventState } from '../event-state.ts'

/** One part of a whole. */
export interface BalancePart {
  readonly name: string
  readonly value: number
  readonly state: EventState
  /** Where the part is shown. */
  readonly href?: string
}

interface DrawnPart extends BalancePart {
  /** Left edge and width, in per cent. */
  readonly left: number
  readonly width: number
}

/** The least width of a part that exists, in per cent. */
const leastWidth = 0.6

/**
 * Returns parts with their places in one bar. What is missing of the whole is a part of its own; where the parts are more
 * than the whole, the bar is as long as the parts. A part that exists is seen, however small it is.
 */
export function balanceParts(whole: number, parts: readonly BalancePart[]): readonly DrawnPart[] {
  const sum = parts.reduce((total, { value }) => total + value, 0)
  const missing: BalancePart = { name: 'Not accounted for', value: whole - sum, state: 'bad' }
  const all = sum < whole ? [...parts, missing] : parts
  const length = Math.max(whole, sum)
  if (length === 0) return all.map((part) => ({ ...part, left: 0, width: 0 }))
  const widths = all.map(({ value }) => (value <= 0 ? 0 : Math.max(leastWidth, (value / length) * 100)))
  // The largest part makes room for those that are drawn wider than they are.
  const largest = widths.indexOf(Math.max(...widths))
  widths[largest] = (widths[largest] ?? 0) - (widths.reduce((total, width) => total + width, 0) - 100)
  let left = 0
  return all.map((part, n) => {
    const width = widths[n] ?? 0
    const drawn = { ...part, left, width }
    left += width
    return drawn
  })
}
