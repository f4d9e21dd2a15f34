/** Tells how long user code has run, in milliseconds since any start. Waits for the host are measured by other clocks. */
export interface RunClock {
  now(): number
  /** As `now`, when code begins to run. */
  start(): number
  /** Called when a limit seems to be reached: takes time back in which the code did not run, as far as that is known. */
  settle(): void
  /** Called by the engine after every ten thousand jumps and calls of user code. */
  tick(): void
}
