import type { Clock } from '@sluice/core'
import { type SuppressStage, suppressedReason } from '@sluice/regulation'
import { type SourcedRequest, suppress } from './flow.ts'

/** Waits while nobody can say who is suppressed double from the first to the last of these. */
const retryFirstMs = 100
const retryLastMs = 30_000

/**
 * Asks the suppress stage once more about the events of requests, for the moment they are to be sent: a regulation may
 * come while a request waits for its turn, or for a retry.
 *
 * While the stage cannot say, it waits and asks again: nothing may go out unchecked, and what the others of the batch
 * have been sent already must not be sent anew because of it. @throws the abort reason once `signal` is aborted.
 */
export function createSuppressionRecheck(parts: {
  readonly suppress: SuppressStage
  readonly clock: Clock
  onError?(error: unknown): void
}): (requests: readonly SourcedRequest[], signal: AbortSignal) => Promise<readonly (string | undefined)[]> {
  return async (requests, signal) => {
    const sources = requests.map(({ source }) => source)
    for (let failures = 0; ; failures += 1) {
      try {
        const allowed = new Set((await suppress(parts, sources, signal)).map(({ origin }) => origin))
        return sources.map((_, index) => (allowed.has(index) ? undefined : suppressedReason))
      } catch (error) {
        signal.throwIfAborted()
        parts.onError?.(error)
        await parts.clock.sleep(Math.min(retryLastMs, retryFirstMs * 2 ** failures), signal)
        signal.throwIfAborted()
      }
    }
  }
}
