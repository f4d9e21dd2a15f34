import type { DestinationCircuit } from '../counts/circuits.ts'

/**
 * How a destination does: `failing`: more than half of what ended lately failed; `slow`: an event waits much longer than
 * usual; `waiting`: it does not answer, or asked for a pause; `paused`; `works`; `idle`: nothing ended lately, and nothing waits.
 */
export const healths = ['failing', 'slow', 'waiting', 'paused', 'works', 'idle'] as const
export type Health = (typeof healths)[number]

/** What a health is concluded from. */
export interface HealthSigns {
  readonly state: DestinationCircuit['state']
  /** Events that ended lately: delivered, dropped or failed. */
  readonly endedLately: number
  readonly failedLately: number
  /** Events that have not ended. */
  readonly waiting: number
  /** Age of the oldest of them in milliseconds; absent when unknown. */
  readonly oldestMs?: number | undefined
  /** Within how many milliseconds half of the events are usually delivered; absent when unknown. */
  readonly usualMs?: number | undefined
}

/** With fewer, one failure would be a share that alarms. */
const endedMin = 5
/** How many times the usual delay is slow. */
const slowFactor = 10
/** No delay below is slow, however short the usual one is, in milliseconds: a minute is noticed by people. */
const slowMsMin = 60_000

/** Returns how a destination does: the first of these that is true. */
export function healthOf({
  state,
  endedLately,
  failedLately,
  waiting,
  oldestMs = 0,
  usualMs = 0,
}: HealthSigns): Health {
  if (state === 'paused') return 'paused'
  if (endedLately >= endedMin && failedLately > endedLately / 2) return 'failing'
  if (state === 'open') return 'waiting'
  if (waiting > 0 && oldestMs > Math.max(slowMsMin, slowFactor * usualMs)) return 'slow'
  return endedLately > 0 || waiting > 0 ? 'works' : 'idle'
}
