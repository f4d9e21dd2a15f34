import type { DestinationPath } from '../../flow/destination-path.ts'

/** Whether requests are sent to a destination. Times are in milliseconds since the epoch. */
export interface DestinationCircuit {
  readonly destinationId: string
  /** `open`: it fails, or asked for a pause, and is left alone until `nextTryAt`; `paused`: a person paused it, or what `reason` says. */
  readonly state: 'closed' | 'open' | 'paused'
  /** Since when requests fail, also while the circuit is still closed. */
  readonly failingSince?: number
  readonly nextTryAt?: number
  readonly pausedAt?: number
  /** Why it is paused, when no person did it. */
  readonly reason?: string
}

/** Returns the circuits of destinations that take events, in order of id. */
export function circuitsOf(destinations: readonly DestinationPath[]): readonly DestinationCircuit[] {
  return destinations
    .filter((path) => !path.isClosed)
    .map(({ destinationId, pausedAt, pausedBecause: reason, circuit }): DestinationCircuit => {
      if (pausedAt !== undefined) return { destinationId, state: 'paused', pausedAt, reason }
      const { isOpen = false, ...times } = circuit?.state() ?? {}
      return { destinationId, state: isOpen ? 'open' : 'closed', ...times }
    })
    .sort((a, b) => (a.destinationId < b.destinationId ? -1 : 1))
}
