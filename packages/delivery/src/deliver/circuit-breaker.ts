import { type Clock, createSetBack, onAbort } from '@sluice/core'

export interface CircuitBreakerOptions {
  readonly clock: Clock
  /** Failed attempts in a row after which the circuit opens. Default 5. */
  readonly failuresMax?: number
  /** How long it is open the first time; each failed probe doubles it. Default 1,000. */
  readonly firstMs?: number
  /** How long it is open at most, unless the destination asks for more. Default 60,000. */
  readonly lastMs?: number
  /** Told when it opens and when it closes; not of probes that fail. */
  onChange?(isOpen: boolean): void
}

/** Leave to send one request. It is to be given back: by what came of the request, or by `release`. */
export interface Admission {
  /** Whether it was not given at once: what held before may hold no more. */
  readonly hasWaited: boolean
  /**
   * What came of the request: whether the destination works, and how long it wants to be left alone. That an event failed
   * which had failed before (`isRepeated`) says nothing against a destination that takes others.
   */
  record(result: { readonly works: boolean; readonly pauseMs?: number; readonly isRepeated?: boolean }): void
  /** Nothing is learnt from the request. Does nothing after `record`. */
  release(): void
}

/** Keeps a destination that fails from being asked again and again. One per destination. */
export interface CircuitBreaker {
  /**
   * Resolves when a request may be sent. While the circuit is open it waits; then one request at a time goes out as a
   * probe, and the others wait for what comes of it. Requests that were under way when the circuit opened are no probes:
   * when they fail too it stays as it is, when one of them arrives it closes.
   *
   * @param patience `until`: milliseconds since the epoch after which waiting is of no use; `drain`: once it is aborted no
   * waiting is. Then it resolves with undefined.
   * @throws the abort reason once `signal` is aborted.
   */
  admit(signal: AbortSignal, patience?: Patience): Promise<Admission | undefined>
  /** Since when it has taken nothing, in milliseconds since the epoch; undefined while it works. */
  readonly failingSince: number | undefined
}

export interface Patience {
  readonly until?: number
  readonly drain?: AbortSignal
}

/** Whoever waits for a probe is woken by what comes of it; this is for a clock that was set back. */
const recheckMs = 60_000

/** @returns a closed one. */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock, failuresMax = 5, firstMs = 1_000, lastMs = 60_000 } = options
  const waiters = new Set<() => void>()
  let failures = 0
  let failingSince: number | undefined
  let openUntil = 0
  let isProbing = false
  const setBack = createSetBack(clock)

  const isTripped = (): boolean => failures >= failuresMax

  async function pause(milliseconds: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const waiting = new AbortController()
    const wake = (): void => waiting.abort()
    waiters.add(wake)
    const unwatch = signals.map((signal) => signal && onAbort(signal, wake))
    await clock.sleep(milliseconds, waiting.signal)
    for (const each of unwatch) each?.()
    waiters.delete(wake)
  }

  function wakeAll(): void {
    for (const wake of waiters) wake()
  }

  function fail(isProbe: boolean, pauseMs: number): void {
    // Those that were under way when it opened tell nothing new.
    if (isProbe || !isTripped()) {
      failures += 1
      const openMs = isTripped() ? Math.min(lastMs, firstMs * 2 ** (failures - failuresMax)) : 0
      openUntil = Math.max(openUntil, clock.now() + openMs)
      if (failures === failuresMax) options.onChange?.(true)
    }
    failingSince ??= clock.now()
    openUntil = Math.max(openUntil, clock.now() + pauseMs)
  }

  function admission(hasWaited: boolean): Admission {
    const isProbe = isTripped()
    if (isProbe) isProbing = true
    let isBack = false
    const giveBack = (learn?: () => void): void => {
      if (isBack) return
      isBack = true
      if (isProbe) isProbing = false
      learn?.()
      wakeAll()
    }
    return {
      hasWaited,
      record: ({ works, pauseMs = 0, isRepeated = false }) =>
        giveBack(() => {
          if (!works) return isRepeated && failures === 0 && pauseMs === 0 ? undefined : fail(isProbe, pauseMs)
          // Not `openUntil`: another request may have been asked to wait meanwhile.
          if (isTripped()) options.onChange?.(false)
          failures = 0
          failingSince = undefined
        }),
      release: () => giveBack(),
    }
  }

  return {
    async admit(signal, { until = Number.POSITIVE_INFINITY, drain } = {}) {
      for (let hasWaited = false; ; hasWaited = true) {
        signal.throwIfAborted()
        const back = setBack()
        openUntil -= back
        if (failingSince !== undefined) failingSince -= back
        const now = clock.now()
        if (now >= openUntil && !(isTripped() && isProbing)) return admission(hasWaited)
        if (now >= until || drain?.aborted) return undefined
        const wait = now < openUntil ? openUntil - now : recheckMs
        await pause(Math.min(wait, until - now), [signal, drain])
      }
    },
    get failingSince() {
      return failingSince
    },
  }
}
