const watched = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>()

/**
 * Calls `callback` with the reason when a signal aborts. All callbacks of one signal share a listener: a batch has one
 * signal for many requests, and Node warns of a leak at more than ten listeners on one signal.
 *
 * @param signal not aborted yet.
 * @returns a function that removes the callback; calling it again has no effect.
 * @example
 * ```ts
 * import { onAbort } from '@sluice/core'
 *
 * const stop = new AbortController()
 * onAbort(stop.signal, (reason) => console.log(reason)) // over
 * stop.abort('over')
 * ```
 */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  // Makes each callback unique, because two callers may pass the same function.
  const own = (reason: unknown): void => callback(reason)
  const callbacks = watched.get(signal) ?? listenTo(signal)
  callbacks.add(own)
  return () => callbacks.delete(own)
}

/**
 * Returns the callbacks of a signal. Its listener is never removed: it only references this set, which is collected
 * with the signal.
 */
function listenTo(signal: AbortSignal): Set<(reason: unknown) => void> {
  const callbacks = new Set<(reason: unknown) => void>()
  watched.set(signal, callbacks)
  const callAll = (): void => {
    for (const each of callbacks) each(signal.reason)
  }
  signal.addEventListener('abort', callAll, { once: true })
  return callbacks
}
