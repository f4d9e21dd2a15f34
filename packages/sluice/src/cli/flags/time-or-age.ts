import { InvalidArgumentError } from 'commander'

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses the value of a flag that is a time, or how long ago it was, such as `24h`. @returns ISO 8601. */
export function timeOrAge(value: string): string {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
  if (number && unit) return new Date(Date.now() - Number(number) * units[unit as keyof typeof units]).toISOString()
  const at = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('expected a time such as 2026-01-31T12:00:00Z, or 90m, 24h, 7d ago')
  return new Date(at).toISOString()
}
