/** Time beyond --stop-seconds after which a process exits in any case, in milliseconds. */
export const graceMs = 5_000
