import { type Backoff, doublingMs, type Random } from '@sluice/core'

/** How often a request is sent in one call, and how long the waits in between are. */
export interface Retry extends Backoff {
  /** How often a request is sent in one call of `send` at most, the first time included. */
  readonly attemptsMax: number
}

/**
 * Returns how long to wait after a failed attempt, in milliseconds. The second half of the doubling wait is random, so
 * that requests that failed together are not repeated together. The wait is at least what the destination asked for, as
 * far as the cap allows.
 *
 * @param attempt the failed attempt, counted from 1.
 * @example
 * ```ts
 * import { createSeededRandom } from '@sluice/core'
 * import { backoffMs } from '@sluice/delivery'
 *
 * const wait = backoffMs(2, { baseMs: 200, capMs: 5_000 }, createSeededRandom(1))
 * console.log(wait >= 200 && wait <= 400, backoffMs(1, { baseMs: 200, capMs: 5_000 }, createSeededRandom(1), 3_000)) // true 3000
 * ```
 */
export function backoffMs(attempt: number, backoff: Backoff, random: Random, retryAfterMs = 0): number {
  const full = doublingMs(attempt, backoff)
  const jittered = full / 2 + (full / 2) * fraction(random)
  return Math.max(jittered, Math.min(retryAfterMs, backoff.capMs))
}

/** Returns a random number, 0 or more and less than 1. */
function fraction(random: Random): number {
  const bytes = random.fill(new Uint8Array(4))
  return new DataView(bytes.buffer).getUint32(0) / 2 ** 32
}
