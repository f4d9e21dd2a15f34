import { Segmented } from '../fields/segmented.tsx'

/** How far back a page looks. */
export type Range = '1h' | '24h' | '7d'

/** Length of each range, in milliseconds. */
export const rangeMs: Readonly<Record<Range, number>> = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 }

const options = [
  { value: '1h', text: '1 h' },
  { value: '24h', text: '24 h' },
  { value: '7d', text: '7 d' },
] as const

/** Returns the range of a filter of the address. @param fallback for none, or an unknown one. */
export function rangeOf(text: string | undefined, fallback: Range = '24h'): Range {
  return options.find(({ value }) => value === text)?.value ?? fallback
}

interface RangeSwitchProps {
  readonly value: Range
  readonly onChange: (value: Range) => void
}

/** Chooses how far back a page looks. It stands in the head of the page. */
export function RangeSwitch({ value, onChange }: RangeSwitchProps) {
  return <Segmented label="Time" options={options} value={value} onChange={onChange} />
}
