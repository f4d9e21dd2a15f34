/** A time limit shared by several consecutive steps. */
export interface Deadline {
  /** Remaining milliseconds, never below 0. */
  left(): number
}

/**
 * Starts a deadline now. Uses the monotonic clock, not a `Clock`: it limits how long callers wait, independently of
 * event time.
 */
export function createDeadline(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds
  return { left: () => Math.max(0, end - performance.now()) }
}
