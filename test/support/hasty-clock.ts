import type { Clock } from '@sluice/core'

/** A clock whose timers fire at once while its time advances by their duration. */
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
