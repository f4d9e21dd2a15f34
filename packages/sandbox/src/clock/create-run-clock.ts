import { isCloudflareWorker } from '@sluice/core'
import { openThreadCpu } from '#thread-cpu'
import { ProcessorClock } from './processor-clock.ts'
import type { RunClock } from './run-clock.ts'

/**
 * How running time of user code is known. `measured`: by the processor time of the thread, where the platform tells it,
 * otherwise by the clock. `counted`: by the steps of the engine, where the clock stands still while code runs.
 */
export type Timing = 'measured' | 'counted'

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
    start: () => ticks * tickMs,
    settle: () => {},
    tick: () => {
      ticks += 1
    },
  }
}

/** The clock of this thread. */
export const measuredClock: RunClock = createMeasuredClock()

function createMeasuredClock(): RunClock {
  const cpuNow = openThreadCpu()
  if (cpuNow) return new ProcessorClock(cpuNow)
  const now = (): number => performance.now()
  return { now, start: now, settle: () => {}, tick: () => {} }
}

/** Returns how time is known by default: Cloudflare's Workers stop the clock, so that code cannot time its neighbours. */
export function defaultTiming(): Timing {
  return isCloudflareWorker() ? 'counted' : 'measured'
}
