/** Growth of the waits between attempts. */
export interface Backoff {
  /** Wait after the first failed attempt, in milliseconds. */
  readonly baseMs: number
  /** Longest wait, in milliseconds. */
  readonly capMs: number
}

/**
 * Returns the wait after a failed attempt in milliseconds: `baseMs`, doubled with each attempt, at most `capMs`.
 * @param attempt the failed attempt, counted from 1.
 * @example
 * ```ts
 * import { doublingMs } from '@sluice/core'
 *
 * console.log([1, 2, 3, 4].map((attempt) => doublingMs(attempt, { baseMs: 100, capMs: 500 }))) // [ 100, 200, 400, 500 ]
 * ```
 */
export function doublingMs(attempt: number, { baseMs, capMs }: Backoff): number {
  return Math.min(capMs, baseMs * 2 ** (attempt - 1))
}
