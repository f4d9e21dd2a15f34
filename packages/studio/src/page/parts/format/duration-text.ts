const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** Returns a length of time with its unit, such as `120 ms`, `1.4 s`, `3 min` or `11 h`. @param ms milliseconds. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${ms > 0 && ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ['s', 1_000]
  const value = ms / size
  return `${value < 10 && unit === 's' ? Number(value.toFixed(1)) : Math.floor(value)} ${unit}`
}
