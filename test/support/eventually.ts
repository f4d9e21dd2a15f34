import { expect } from 'vitest'

/**
 * Repeats an assertion until it holds: `await eventually(() => received.length).toBe(3)`.
 *
 * Looks every 10 ms. The limit only ends a test that hangs: it is far above the time that anything takes on a busy machine,
 * so no verdict depends on it.
 */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { interval: 10, timeout: hangMs })
}

/** Time after which whatever a test waits for counts as hung. */
export const hangMs = 30_000
