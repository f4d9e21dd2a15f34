import type { DeletionJob } from './deletion-job.ts'

/** What became of a user at a destination. */
export type Erasure =
  | { readonly status: 'complete'; readonly note?: string }
  /** To be tried again. */
  | { readonly status: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  /** Trying again is of no use. */
  | { readonly status: 'aborted'; readonly reason: string }

/** Keeps what a restart is not to do again. */
export interface ErasureProgress {
  /** What `reached` told last of each user, in an earlier call. */
  readonly marks: readonly (string | undefined)[]
  /** Some users, from the place of the first on, are done with while others are not yet. */
  ended(first: number, erasures: readonly Erasure[]): Promise<void>
  /** All users are done up to a mark, which only the eraser understands. */
  reached(mark: string): Promise<void>
}

/** Deletes users at one destination. */
export interface Eraser {
  /** Users per call, 1 or more. */
  readonly usersMax: number
  /**
   * @param users 1 to `usersMax`.
   * @returns one for each, in order; a repeated call must do no harm. Rejects only when `signal` aborts, or for a bug.
   */
  erase(
    users: readonly DeletionJob['attributes'][],
    signal: AbortSignal,
    progress?: ErasureProgress,
  ): Promise<readonly Erasure[]>
}
