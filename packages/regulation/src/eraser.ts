import type { DeletionJob } from './deletion-job.ts'

/** What became of a user at a destination. */
export type Erasure =
  | { readonly status: 'complete'; readonly note?: string }
  /** To be tried again. */
  | { readonly status: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  /** Trying again is of no use. */
  | { readonly status: 'aborted'; readonly reason: string }

/** Deletes users at one destination. */
export interface Eraser {
  /** Users per call, 1 or more. */
  readonly usersMax: number
  /**
   * @param users 1 to `usersMax`.
   * @returns one for each, in order; a repeated call must do no harm. Rejects only when `signal` aborts, or for a bug.
   */
  erase(users: readonly DeletionJob['attributes'][], signal: AbortSignal): Promise<readonly Erasure[]>
}
