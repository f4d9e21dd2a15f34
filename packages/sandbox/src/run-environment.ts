/** Time and randomness of one run. Absent members come from the platform. */
export interface RunEnvironment {
  readonly nowMs?: number
  readonly seed?: number
}
