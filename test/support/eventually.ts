import { expect, vi } from 'vitest'

/**
 * Repeats an assertion until it holds: `await eventually(() => received.length).toBe(3)`.
 *
 * @param message shown when it never holds. Looks every 10 ms. The limit only ends a test that hangs: it is far above the time that anything takes on a busy machine,
 * so no verdict depends on it.
 */
export function eventually<T>(read: () => T, message?: string) {
  return expect.poll(read, { interval: 10, timeout: hangMs, ...(message ? { message } : {}) })
}

/**
 * Waits until a condition holds, where vitest allows no assertion that repeats itself: in hooks, and in code that runs beside
 * a test. Looks as often, and gives up as late, as `eventually`.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { interval: 10, timeout: hangMs })
}

/** Time after which whatever a test waits for counts as hung. */
export const hangMs = 90_000
