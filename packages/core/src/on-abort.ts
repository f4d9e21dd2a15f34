const watched = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>()

/**
 * Calls back when a signal aborts, with its reason. All callers of one signal share a listener: Node takes more than ten
 * on one signal for a leak and warns, and a batch has one signal for many requests.
 *
 * @param signal not aborted yet.
 * @returns a function that stops watching; calling it again changes nothing.
 */
export function onAbort(signal: AbortSignal, callback: (reason: unknown) => void): () => void {
  // Two callers may pass the same function.
  const own = (reason: unknown): void => callback(reason)
  const callbacks = watched.get(signal) ?? listenTo(signal)
  callbacks.add(own)
  return () => callbacks.delete(own)
}

/** The listener stays: it holds no more than a set, which goes with the signal. */
function listenTo(signal: AbortSignal): Set<(reason: unknown) => void> {
  const callbacks = new Set<(reason: unknown) => void>()
  watched.set(signal, callbacks)
  const callAll = (): void => {
    for (const each of callbacks) each(signal.reason)
  }
  signal.addEventListener('abort', callAll, { once: true })
  return callbacks
}
