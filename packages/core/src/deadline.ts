/** A time by which several steps have to be done, one after the other. */
export interface Deadline {
  /** Milliseconds, 0 at least. */
  left(): number
}

/** Begins now. Measured in time that passes, which nobody sets: it bounds the waits of people, not of events. */
export function createDeadline(milliseconds: number): Deadline {
  const end = performance.now() + milliseconds
  return { left: () => Math.max(0, end - performance.now()) }
}
