import type { Clock } from '@sluice/core'

export interface CircuitBreakerOptions {
  readonly clock: Clock
  /** Failed attempts in a row after which the circuit opens. Default 5. */
  readonly failuresMax?: number
  /** How long it is open the first time; each failed probe doubles it. Default 1,000. */
  readonly firstMs?: number
  /** How long it is open at most, unless the destination asks for more. Default 60,000. */
  readonly lastMs?: number
}

/** Keeps a destination that fails from being asked again and again. One per destination. */
export interface CircuitBreaker {
  /**
   * Resolves with true when a request may be sent. While the circuit is open it waits; then one request at a time goes out
   * as a probe, and the others wait for what comes of it. What was admitted is to be recorded or released.
   *
   * @param patience `until`: milliseconds since the epoch after which waiting is of no use; `drain`: once it is aborted no
   * waiting is. Then it resolves with false.
   * @throws the abort reason once `signal` is aborted.
   */
  admit(signal: AbortSignal, patience?: Patience): Promise<boolean>
  /**
   * What came of an admitted request: whether the destination works, and how long it wants to be left alone. That an event
   * failed which had failed before (`isRepeated`) says nothing against a destination that takes others.
   */
  record(result: { readonly works: boolean; readonly pauseMs?: number; readonly isRepeated?: boolean }): void
  /** Of an admitted request nothing will be recorded. */
  release(): void
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

  const isTripped = (): boolean => failures >= failuresMax

  async function pause(milliseconds: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const waiting = new AbortController()
    const wake = (): void => waiting.abort()
    waiters.add(wake)
    for (const signal of signals) signal?.addEventListener('abort', wake)
    await clock.sleep(milliseconds, waiting.signal)
    for (const signal of signals) signal?.removeEventListener('abort', wake)
    waiters.delete(wake)
  }

  function endProbe(): void {
    isProbing = false
    for (const wake of waiters) wake()
  }

  return {
    async admit(signal, { until = Number.POSITIVE_INFINITY, drain } = {}) {
      for (;;) {
        signal.throwIfAborted()
        const now = clock.now()
        if (now >= openUntil && !(isTripped() && isProbing)) break
        if (now >= until || drain?.aborted) return false
        const wait = now < openUntil ? openUntil - now : recheckMs
        await pause(Math.min(wait, until - now), [signal, drain])
      }
      if (isTripped()) isProbing = true
      return true
    },
    record({ works, pauseMs = 0, isRepeated = false }) {
      if (works) {
        failures = 0
        failingSince = undefined
        openUntil = 0
      } else if (!isRepeated || failures > 0 || pauseMs > 0) {
        failures += 1
        failingSince ??= clock.now()
        const openMs = isTripped() ? Math.min(lastMs, firstMs * 2 ** (failures - failuresMax)) : 0
        openUntil = Math.max(openUntil, clock.now() + Math.max(openMs, pauseMs))
      }
      endProbe()
    },
    release: endProbe,
    get failingSince() {
      return failingSince
    },
  }
}
