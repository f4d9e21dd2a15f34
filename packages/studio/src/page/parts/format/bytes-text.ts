import { countText } from './count.tsx'

/** Returns a number of bytes with its unit, such as `1.5 MiB`. */
export function bytesText(value: number): string {
  if (value < 1_024) return `${countText(value)} B`
  const power = Math.min(4, Math.floor(Math.log2(value) / 10))
  return `${(value / 1_024 ** power).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`
}
