import { onAbort } from '@sluice/core'
import type { SendOptions } from './transport.ts'

/**
 * Runs work within a time limit. Resolves with `onTimeout()` after `timeMs` milliseconds, and rejects immediately when the
 * signal aborts. Both abort the signal that the work receives, without waiting for the work to end.
 */
export async function limitTime<T>(
  { signal, timeMs }: Pick<SendOptions, 'signal' | 'timeMs'>,
  work: (stopped: AbortSignal) => Promise<T>,
  onTimeout: () => T,
): Promise<T> {
  signal.throwIfAborted()
  const stop = new AbortController()
  let unwatch = (): void => {}
  let timer: NodeJS.Timeout | undefined
  const cutShort = new Promise<T>((resolve, reject) => {
    unwatch = onAbort(signal, reject)
    timer = setTimeout(() => resolve(onTimeout()), timeMs)
  })
  try {
    return await Promise.race([work(stop.signal), cutShort])
  } finally {
    clearTimeout(timer)
    unwatch()
    stop.abort()
  }
}
