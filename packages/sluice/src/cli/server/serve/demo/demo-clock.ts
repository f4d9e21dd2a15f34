import { type Clock, createManualClock } from '@sluice/core'

/** How often the clock catches up with the system's time, in milliseconds. */
const followMs = 20

/** A clock that is moved through a day that has passed, and then follows the system's time. */
export interface DemoClock extends Clock {
  /** Moves it, and wakes who sleeps until then. */
  advance(milliseconds: number): void
  /** Catches up with the system's time and stays with it. @returns a function that stops that. */
  follow(): () => void
}

/** @param startMs where it begins, in milliseconds since the epoch. */
export function createDemoClock(startMs: number): DemoClock {
  const { now, sleep, advance } = createManualClock(startMs)
  const catchUp = (): void => advance(Math.max(0, Date.now() - now()))
  return {
    now,
    sleep,
    advance,
    follow: () => {
      catchUp()
      const timer = setInterval(catchUp, followMs)
      return () => clearInterval(timer)
    },
  }
}
