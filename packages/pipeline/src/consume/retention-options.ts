/** What the log keeps of what every destination and the catalogue have passed, to be looked at or replayed. */
export interface RetentionOptions {
  /** Milliseconds; default 24 hours. */
  readonly ageMs: number
  /** Of the whole log of a workspace, measured by the JSON texts of its events; default 512 MiB. */
  readonly bytesMax: number
}

export const defaultRetentionOptions: RetentionOptions = { ageMs: 24 * 3_600_000, bytesMax: 512 * 1024 ** 2 }
