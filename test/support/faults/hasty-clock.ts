import type { Clock } from '@sluice/core'

/** A clock whose sleeps end at once and advance its time by their duration. */
export function createHastyClock(): Clock {
  let skipped = 0
  return {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds) => {
      skipped += milliseconds
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
