import type { Clock } from '@sluice/core'

/** A limit on what a workspace may use within an hour. Kept in memory: a restart resets it. */
export interface HourlyQuota {
  readonly max: number
  /**
   * Takes the whole amount or nothing. @returns a function that returns the amount; undefined when too little is left.
   */
  take(workspaceId: string, amount: number): (() => void) | undefined
}

const hourMs = 3_600_000

/** Creates a quota. An hour begins with the first amount taken. */
export function createHourlyQuota(max: number, clock: Pick<Clock, 'now'>): HourlyQuota {
  const hours = new Map<string, { readonly endsAt: number; taken: number }>()
  return {
    max,
    take: (workspaceId, amount) => {
      const now = clock.now()
      const known = hours.get(workspaceId)
      const hour = known && now < known.endsAt ? known : { endsAt: now + hourMs, taken: 0 }
      if (hour.taken + amount > max) return undefined
      hour.taken += amount
      hours.set(workspaceId, hour)
      return () => {
        hour.taken -= amount
      }
    },
  }
}
