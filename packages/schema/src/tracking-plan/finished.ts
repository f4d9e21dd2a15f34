import type { Pausing } from '@sluice/json-schema'

/** Does work that can pause, without pauses. */
export function finished<T>(work: Pausing<T>): T {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}
