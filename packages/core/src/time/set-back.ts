import type { Clock } from './clock.ts'

/** Smaller steps are ordinary clock corrections. */
const toleranceMs = 1_000

/**
 * Detects when a clock is set back. Code that waits for a previously computed time moves that time back by the returned
 * amount. Otherwise a wait of a minute would be longer by the size of the step.
 *
 * @returns a function that returns by how many milliseconds the clock was set back since its last call; usually 0.
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
