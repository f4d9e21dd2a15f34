/** A selected file that was not run. */
export interface NotRun {
  /** Absolute path. */
  readonly file: string
  readonly reason: string
}
