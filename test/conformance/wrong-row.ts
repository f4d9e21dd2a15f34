import type { Row } from './row.ts'

/** Members of a row that say what must come out. */
const expectations = ['expected', 'output', 'requests']

/**
 * Returns the row with other texts, numbers and booleans wherever it says what must come out. No product agrees with it,
 * so a runner that says so compares nothing. undefined when the row expects nothing that could be changed.
 */
export function wrongRow(row: Row): Row | undefined {
  const wrong = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, expectations.includes(name) ? changed(value) : value]),
  )
  return JSON.stringify(wrong) === JSON.stringify(row) ? undefined : wrong
}

function changed(value: unknown): unknown {
  if (typeof value === 'string') return `${value}~`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.map(changed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member)]))
}
