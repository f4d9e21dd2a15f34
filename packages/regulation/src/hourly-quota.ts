import type { Clock } from '@sluice/core'

/** Something a workspace may have so much of within an hour. Kept in memory: a restart begins anew. */
export interface HourlyQuota {
  readonly max: number
  /** Takes all or nothing. @returns how to give it back; undefined when there was not enough left. */
  take(workspaceId: string, amount: number): (() => void) | undefined
}

const hourMs = 3_600_000

/** An hour begins with the first amount that is taken. */
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
