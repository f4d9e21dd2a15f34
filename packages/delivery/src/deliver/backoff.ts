import type { Random } from '@sluice/core'

export interface Backoff {
  /** The wait after the first failed attempt, before jitter. */
  readonly baseMs: number
  /** No wait is longer. */
  readonly capMs: number
}

/**
 * How long to wait after the given attempt failed: doubling from `baseMs` up to `capMs`, of which the second half is
 * random, so that those who failed together do not come back together. Never shorter than what the destination asked
 * for, as far as the cap allows.
 *
 * @param attempt the one that failed, counted from 1.
 */
export function backoffMs(attempt: number, backoff: Backoff, random: Random, retryAfterMs = 0): number {
  const full = Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1))
  const jittered = full / 2 + (full / 2) * fraction(random)
  return Math.max(jittered, Math.min(retryAfterMs, backoff.capMs))
}

/** 0 or more, below 1. */
function fraction(random: Random): number {
  const bytes = random.fill(new Uint8Array(4))
  return new DataView(bytes.buffer).getUint32(0) / 2 ** 32
}
