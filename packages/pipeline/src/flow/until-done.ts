import { type Backoff, type Clock, doublingMs } from '@sluice/core'

/** Waits between attempts at something that this process depends on, such as its store. */
export const ownBackoff: Backoff = { baseMs: 100, capMs: 30_000 }

interface UntilDoneOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called with each failure. */
  onError?(error: unknown): void
}

/**
 * Repeats `work` until it succeeds, with growing waits in between: for a step that must neither be skipped nor be undone
 * because it failed. @throws the abort reason once `signal` is aborted.
 */
export async function untilDone<T>(work: () => Promise<T>, { clock, signal, onError }: UntilDoneOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted && error === signal.reason) throw error
      onError?.(error)
      await clock.sleep(doublingMs(attempt, ownBackoff), signal)
      signal.throwIfAborted()
    }
  }
}
