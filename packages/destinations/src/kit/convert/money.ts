import type { JsonValue } from '@sluice/core'
import { number, rounded } from './number.ts'

/** Converts a number, or a text such as `$1,299.50`, to a number; undefined for other values. */
export function money(value: JsonValue): number | undefined {
  return number(typeof value === 'string' ? value.replace(/[^\d.-]/g, '') : value)
}

/** Rounds a number, or a numeric text, to two decimals; undefined for other values. */
export const twoDecimals = rounded(2)
