import { expect, vi } from 'vitest'
import { hangMs } from './hang-ms.ts'

/**
 * Repeats an assertion until it holds: `await eventually(() => received.length).toBe(3)`.
 *
 * Looks every 10 ms. The limit only ends a test that hangs: it is far above the time that anything takes on a busy
 * machine, so no verdict depends on it.
 *
 * @param message shown when it never holds.
 */
export function eventually<T>(read: () => T, message?: string) {
  return expect.poll(read, { interval: 10, timeout: hangMs, message: message || undefined })
}

/**
 * Waits until a condition holds, where vitest allows no assertion that repeats itself: in hooks, and in code that runs beside
 * a test. Looks as often, and gives up as late, as `eventually`.
 */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { interval: 10, timeout: hangMs })
}
