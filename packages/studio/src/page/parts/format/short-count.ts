import { countText } from './count.tsx'

/** Returns a large number in few characters, such as `1.23 M`, `45.6 k` or `789`. */
export function shortCount(value: number): string {
  if (value >= 999_500_000) return `${(value / 1e9).toFixed(2)} G`
  if (value >= 999_500) return `${(value / 1e6).toFixed(2)} M`
  if (value >= 99_950) return `${(value / 1e3).toFixed(0)} k`
  if (value >= 10_000) return `${(value / 1e3).toFixed(1)} k`
  return countText(value)
}
