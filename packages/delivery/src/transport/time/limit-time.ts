import { onAbort } from '@sluice/core'
import type { SendOptions } from '../transport.ts'

interface TimeLimits extends Pick<SendOptions, 'signal' | 'timeMs'> {
  /** Whether the work may leave something running when it ends, which is to be stopped then. */
  readonly leavesWork?: boolean
}

/**
 * Runs work within a time limit. Resolves with `onTimeout()` after `timeMs` milliseconds, and rejects immediately when the
 * signal aborts. Both abort the signal that the work receives, without waiting for the work to end; so does work that
 * throws. Work that ends well leaves it alone, unless `leavesWork`: aborting makes an error with a stack.
 */
export async function limitTime<T>(
  { signal, timeMs, leavesWork = false }: TimeLimits,
  work: (stopped: AbortSignal) => Promise<T>,
  onTimeout: () => T,
): Promise<T> {
  signal.throwIfAborted()
  const stop = new AbortController()
  let unwatch = (): void => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  const cutShort = new Promise<T>((resolve, reject) => {
    unwatch = onAbort(signal, reject)
    timer = setTimeout(() => resolve(onTimeout()), timeMs)
  })
  try {
    const ended = work(stop.signal).then((result) => {
      hasEnded = true
      return result
    })
    return await Promise.race([ended, cutShort])
  } finally {
    clearTimeout(timer)
    unwatch()
    if (!hasEnded || leavesWork) stop.abort()
  }
}
