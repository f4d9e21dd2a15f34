import type { JsonValue } from '@sluice/core'
import { number } from './number.ts'

/** Converts a number, or a text such as `$1,299.50`, to a number; undefined for other values. */
export function money(value: JsonValue): number | undefined {
  return number(typeof value === 'string' ? value.replace(/[^\d.-]/g, '') : value)
}

/** Rounds a number, or a numeric text, to two decimals; undefined for other values. */
export function twoDecimals(value: JsonValue): number | undefined {
  const known = number(value)
  return known === undefined ? undefined : Number(known.toFixed(2))
}
