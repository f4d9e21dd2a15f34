import type { JsonValue } from '@sluice/core'

/** Converts a number or a numeric string (`'9.50'`) to a number; undefined for other values. */
export function number(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(parsed) ? parsed : undefined
}

export function integer(value: JsonValue): number | undefined {
  const known = number(value)
  return known === undefined ? undefined : Math.trunc(known)
}

/** Rounds to `digits` decimals. Returns undefined for values that are not numbers. */
export function rounded(digits: number): (value: JsonValue) => number | undefined {
  return (value) => {
    const known = number(value)
    return known === undefined ? undefined : Number(known.toFixed(digits))
  }
}
