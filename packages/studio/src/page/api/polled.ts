import { type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { ApiError } from './request.ts'

/** What is known of something that is read from the server again and again. */
interface Polled<Value> {
  readonly value: Value | undefined
  /** Why the last read failed; the value is then that of the read before. */
  readonly error: ApiError | undefined
  /** When it was read, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * Reads something now, and then every so often while the tab is visible.
 *
 * @param key another key reads something else: the value is forgotten.
 * @param everyMs 0 reads once.
 * @returns what is known, and how to read again at once.
 */
export function usePolled<Value>(
  key: string,
  read: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
): { readonly state: ReadonlySignal<Polled<Value>>; refresh(): Promise<void> } {
  const poll = useMemo(() => createPoll(read, everyMs), [key, everyMs])
  useEffect(() => poll.start(), [poll])
  return poll
}

function createPoll<Value>(read: (signal: AbortSignal) => Promise<Value>, everyMs: number) {
  const state = signal<Polled<Value>>({ value: undefined, error: undefined, at: 0 })
  let over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const next = (): void => {
    clearTimeout(timer)
    if (everyMs > 0 && !over.signal.aborted && document.visibilityState === 'visible')
      timer = setTimeout(() => void refresh(), everyMs)
  }
  const refresh = async (): Promise<void> => {
    clearTimeout(timer)
    const { signal } = over
    try {
      const value = await read(signal)
      if (!signal.aborted) state.value = { value, error: undefined, at: Date.now() }
    } catch (error) {
      if (signal.aborted) return
      const known = error instanceof ApiError ? error : new ApiError(0, 'page', String(error))
      state.value = { ...state.value, error: known }
    }
    next()
  }
  const start = (): (() => void) => {
    over = new AbortController()
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') void refresh()
    }
    document.addEventListener('visibilitychange', onVisible)
    void refresh()
    return () => {
      over.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }
  return { state, refresh, start }
}
