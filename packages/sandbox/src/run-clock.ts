import { isCloudflareWorker } from '@sluice/core'

/**
 * How running time of user code is known. `measured`: by the clock. `counted`: by the steps of the engine, where the
 * clock stands still while code runs.
 */
export type Timing = 'measured' | 'counted'

/** Tells how long user code has run, in milliseconds since any start. Waits for the host are measured by other clocks. */
export interface RunClock {
  now(): number
  /** Called by the engine after every ten thousand jumps and calls of user code. */
  tick(): void
}

/**
 * Time that counts for ten thousand jumps and calls. On a machine of 2024 the engine takes 0.2 to 2 ms for them, with
 * what code does in between. Work of a single built-in function does not count.
 */
const tickMs = 0.5

export function createRunClock(timing: Timing): RunClock {
  if (timing === 'measured') return measuredClock
  let ticks = 0
  return {
    now: () => ticks * tickMs,
    tick: () => {
      ticks += 1
    },
  }
}

export const measuredClock: RunClock = { now: () => performance.now(), tick: () => {} }

/** Returns how time is known by default: Cloudflare's Workers stop the clock, so that code cannot time its neighbours. */
export function defaultTiming(): Timing {
  return isCloudflareWorker() ? 'counted' : 'measured'
}
