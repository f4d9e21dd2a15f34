/** A source of time. It is passed in, so that tests and replays control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `milliseconds`, or as soon as `signal` aborts. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal?.addEventListener('abort', done)
    }),
}

/** A clock for tests. `advance` moves it and wakes every sleeper that is due, in the order of their times. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void
}

/**
 * Creates a clock that stands still until it is moved on, for tests.
 * @example
 * ```ts
 * import { createManualClock } from '@sluice/core'
 *
 * const clock = createManualClock(0)
 * const slept = clock.sleep(1_000)
 * clock.advance(1_000)
 * await slept
 * console.log(clock.now()) // 1000
 * ```
 */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs
  let sleepers: { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || milliseconds <= 0) return resolve()
        const sleeper = { at: now + milliseconds, wake: () => done() }
        const done = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', done)
      }),
    advance: (milliseconds) => {
      now += milliseconds
      const due = sleepers.filter((sleeper) => sleeper.at <= now).sort((a, b) => a.at - b.at)
      sleepers = sleepers.filter((sleeper) => sleeper.at > now)
      for (const sleeper of due) sleeper.wake()
    },
  }
}
