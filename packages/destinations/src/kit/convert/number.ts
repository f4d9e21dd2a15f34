import type { JsonValue } from '@sluice/core'

/** The number a value is or says (`'9.50'`); nothing where it is none. */
export function number(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value
  const said = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(said) ? said : undefined
}

export function integer(value: JsonValue): number | undefined {
  const known = number(value)
  return known === undefined ? undefined : Math.trunc(known)
}
