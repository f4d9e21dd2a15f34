import { type Clock, createSetBack, doublingMs, onAbort } from '@sluice/core'

export interface CircuitBreakerOptions {
  readonly clock: Clock
  /** Failed attempts in a row after which the circuit opens. Default 5. */
  readonly failuresMax?: number
  /** Time in milliseconds that it stays open the first time; each failed probe doubles it. Default 1,000. */
  readonly firstMs?: number
  /** Maximum time in milliseconds that it stays open, unless the destination requests more. Default 60,000. */
  readonly lastMs?: number
  /** Called when it opens and when it closes; not for probes that fail. */
  onChange?(isOpen: boolean): void
}

/** Permission to send one request. The holder must end it with `record` or `release`. */
export interface Admission {
  /** Whether the caller had to wait: conditions checked before may have changed. */
  readonly hasWaited: boolean
  /**
   * Reports whether the destination works, and how long it asked to wait. A failure of an event that had failed before
   * (`isRepeated`) does not count against a destination that accepts others.
   */
  record(result: { readonly works: boolean; readonly pauseMs?: number; readonly isRepeated?: boolean }): void
  /** Ends the permission without a result. Does nothing after `record`. */
  release(): void
}

/** Stops sending to a destination that keeps failing. One per destination. */
export interface CircuitBreaker {
  /**
   * Returns an admission when a request may be sent at once, otherwise a promise of one. While the circuit is open, all
   * requests wait; then it admits one at a time as a probe, and the others wait for its result. Requests that were under
   * way when the circuit opened are no probes: when they fail, the circuit stays as it is; when one of them succeeds, it
   * closes.
   *
   * @returns undefined, by the promise, when the limits end the wait.
   * @throws the abort reason once `signal` is aborted; while a request waits, the promise rejects with it.
   */
  admit(signal: AbortSignal, limits?: WaitLimits): Admission | Promise<Admission | undefined>
  /**
   * Lets one request through while the circuit is open, before its time: one that waits now, otherwise the next one. Its
   * result counts as that of any probe; success also ends a pause that the destination asked for before.
   * @returns false when the circuit is closed.
   */
  tryNow(): boolean
  /** Whether a request may go before its time, and none has gone yet. */
  readonly isTryWanted: boolean
  /** When it last stopped working, in milliseconds since the epoch; undefined while it works. */
  readonly failingSince: number | undefined
  state(): CircuitState
}

/** What a circuit breaker knows of its destination. Times are in milliseconds since the epoch. */
interface CircuitState {
  /** Whether requests wait: because too many failed in a row, or because the destination asked for a pause. */
  readonly isOpen: boolean
  readonly failingSince?: number
  /** When the next request is sent, if there is one; only while it is open. */
  readonly nextTryAt?: number
}

/** How long a request may wait for its destination. */
interface WaitLimits {
  /** Milliseconds since the epoch after which it waits no longer. */
  readonly until?: number
  /** Ends the wait when it aborts. */
  readonly drain?: AbortSignal
}

/** The result of a probe wakes those who wait for it; this is for a clock that was set back. */
const recheckMs = 60_000

/** Returns a closed circuit breaker. */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { clock, failuresMax = 5, firstMs = 1_000, lastMs = 60_000 } = options
  const waiters = new Set<() => void>()
  let failures = 0
  let failingSince: number | undefined
  let openUntil = 0
  let isProbing = false
  /** Whether one request may go before its time. */
  let isTryWanted = false
  const setBack = createSetBack(clock)

  const isTripped = (): boolean => failures >= failuresMax
  const isOpen = (): boolean => isTripped() || clock.now() < openUntil

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
    // Requests that were under way when the circuit opened add no information.
    if (isProbe || !isTripped()) {
      failures += 1
      const openMs = isTripped() ? doublingMs(failures - failuresMax + 1, { baseMs: firstMs, capMs: lastMs }) : 0
      openUntil = Math.max(openUntil, clock.now() + openMs)
      if (failures === failuresMax) options.onChange?.(true)
    }
    failingSince ??= clock.now()
    openUntil = Math.max(openUntil, clock.now() + pauseMs)
  }

  function admission(hasWaited: boolean): Admission {
    const isTry = isTryWanted && isOpen()
    const isProbe = isTripped() || isTry
    const pausedUntil = openUntil
    isTryWanted = false
    if (isProbe) isProbing = true
    let hasEnded = false
    const end = (learn?: () => void): void => {
      if (hasEnded) return
      hasEnded = true
      if (isProbe) isProbing = false
      learn?.()
      wakeAll()
    }
    return {
      hasWaited,
      record: ({ works, pauseMs = 0, isRepeated = false }) =>
        end(() => {
          if (!works) return isRepeated && failures === 0 && pauseMs === 0 ? undefined : fail(isProbe, pauseMs)
          // Keeps `openUntil`: the reply to another request may have asked to wait meanwhile.
          if (isTry && openUntil === pausedUntil) openUntil = Math.min(openUntil, clock.now())
          if (isTripped()) options.onChange?.(false)
          failures = 0
          failingSince = undefined
        }),
      release: () =>
        end(() => {
          isTryWanted ||= isTry
        }),
    }
  }

  function isClosed(signal: AbortSignal): boolean {
    signal.throwIfAborted()
    const back = setBack()
    openUntil -= back
    if (failingSince !== undefined) failingSince -= back
    if (isProbing && isOpen()) return false
    return isTryWanted || clock.now() >= openUntil
  }

  async function wait(signal: AbortSignal, { until = Number.POSITIVE_INFINITY, drain }: WaitLimits) {
    do {
      const now = clock.now()
      if (now >= until || drain?.aborted) return undefined
      const wait = now < openUntil ? openUntil - now : recheckMs
      await pause(Math.min(wait, until - now), [signal, drain])
    } while (!isClosed(signal))
    return admission(true)
  }

  return {
    admit: (signal, limits = {}) => (isClosed(signal) ? admission(false) : wait(signal, limits)),
    tryNow() {
      if (!isOpen()) return false
      // A probe that is under way is the try.
      isTryWanted = !isProbing
      wakeAll()
      return true
    },
    get isTryWanted() {
      return isTryWanted && isOpen()
    },
    get failingSince() {
      return failingSince
    },
    state: () => ({
      isOpen: isOpen(),
      failingSince,
      nextTryAt: isOpen() ? (isTryWanted ? Math.min(openUntil, clock.now()) : openUntil) : undefined,
    }),
  }
}
