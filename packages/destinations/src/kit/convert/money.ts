import type { JsonValue } from '@sluice/core'
import { number, rounded } from './number.ts'

/**
 * Converts a number, or a text such as `$4.50` or `7 €`, to a number; undefined for other values, such as `1,299`, whose comma some people
 * mean as a point.
 */
export function money(value: JsonValue): number | undefined {
  return number(typeof value === 'string' ? value.trim().replace(/^\p{Sc}|\p{Sc}$/u, '') : value)
}

/** Rounds a number, or a numeric text, to two decimals; undefined for other values. */
export const twoDecimals = rounded(2)
