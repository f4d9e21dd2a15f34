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
 */
export function doublingMs(attempt: number, { baseMs, capMs }: Backoff): number {
  return Math.min(capMs, baseMs * 2 ** (attempt - 1))
}
