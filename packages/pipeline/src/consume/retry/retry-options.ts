import type { Backoff } from '@sluice/core'

/** How long events that could not be delivered are tried again. Source: packages/docs/behaviour/mapping.md#retries. */
export interface RetryOptions {
  /**
   * An event is given up when it was first tried so long ago. Default 3 hours. 0: at the end of its first three
   * attempts; nothing waits then.
   */
  readonly windowMs: number
  /** ... and after at least so many attempts. Default 3. */
  readonly attemptsMin: number
  /**
   * The waits between attempts, behind the three quick ones of the beginning. Default 10 s, doubling, at most 300 s.
   */
  readonly backoff: Backoff
  /** Events of one destination that may wait; then nothing more is taken from its log. Default 10,000. */
  readonly eventsMax: number
}

export const defaultRetryOptions: RetryOptions = {
  windowMs: 3 * 3_600_000,
  attemptsMin: 3,
  backoff: { baseMs: 10_000, capMs: 300_000 },
  eventsMax: 10_000,
}
