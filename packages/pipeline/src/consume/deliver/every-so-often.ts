import type { Clock } from '@sluice/core'

/**
 * Runs `tick` every so many milliseconds until `work` has ended. @throws what `work` throws or, once that has ended, what
 * a tick did: then there are no more.
 */
export async function everySoOften(
  milliseconds: number,
  clock: Clock,
  tick: () => Promise<void>,
  work: () => Promise<unknown>,
): Promise<void> {
  const over = new AbortController()
  const ticking = Promise.allSettled([tickUntil(over.signal)])
  try {
    await work()
  } finally {
    // With a reason of its own, no error with a stack is made for each read.
    over.abort(null)
    await ticking
  }
  for (const end of await ticking) if (end.status === 'rejected') throw end.reason

  async function tickUntil(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(milliseconds, signal)
      if (signal.aborted) return
      await tick()
    }
  }
}
