const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A time as words relative to now, with the exact time in UTC as its title. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {agoText(Date.parse(at) - Date.now())}
    </time>
  )
}

function agoText(ms: number): string {
  const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1_000]
  return relative.format(Math.round(ms / size), unit)
}
