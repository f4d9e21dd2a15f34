import { type Backoff, doublingMs } from '@sluice/core'

/** How soon a process is started again that has ended. */
export interface RestartTimes extends Backoff {
  /** Time after which a process counts as steady: when it ends later, the waits begin again with the shortest. */
  readonly steadyMs: number
  /** Failed starts in a row after which the whole server ends. */
  readonly failedMax: number
}

/** Half a second for a crash that happens once. Seven waits take a minute, which a database needs to restart. */
export const defaultRestartTimes: RestartTimes = { baseMs: 500, capMs: 30_000, steadyMs: 60_000, failedMax: 8 }

/** One life of a process. */
export interface ProcessLife {
  /** Milliseconds from its start to its end. */
  readonly ranMs: number
  readonly hasServed: boolean
}

/**
 * Decides when the next process is started in the place of one that has ended.
 * @returns a function that receives each life, and returns the wait in milliseconds; undefined when there were too many failed
 * starts in a row.
 */
export function createRestartDelays(times: RestartTimes): (life: ProcessLife) => number | undefined {
  let quickEnds = 0
  let failedStarts = 0
  return ({ ranMs, hasServed }) => {
    failedStarts = hasServed ? 0 : failedStarts + 1
    if (failedStarts >= times.failedMax) return undefined
    quickEnds = hasServed && ranMs >= times.steadyMs ? 1 : quickEnds + 1
    return doublingMs(quickEnds, times)
  }
}
