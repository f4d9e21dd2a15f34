import type { Clock } from '@sluice/core'

/** Time that passes at once when somebody waits for it, and as usual otherwise. */
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
