import type { Clock } from './clock.ts'

/** Less than this is no step but the clock being kept right. */
const toleranceMs = 1_000

/**
 * Notices when a clock is set back. Who waits for a time that was reckoned before moves it by as much: else a minute
 * would last as long as the step.
 *
 * @returns asks how far the clock has gone back since it was asked last, in milliseconds; 0 mostly.
 */
export function createSetBack(clock: Pick<Clock, 'now'>): () => number {
  let last = clock.now()
  return () => {
    const now = clock.now()
    const back = last - now
    last = now
    return back > toleranceMs ? back : 0
  }
}
