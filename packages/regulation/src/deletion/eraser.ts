import type { DeletionJob } from './deletion-job.ts'

/** Result of deleting one user at a destination. */
export type Erasure =
  | { readonly status: 'complete'; readonly note?: string }
  /** To be retried. */
  | { readonly status: 'failed'; readonly reason: string; readonly retryAfterMs?: number }
  /** Retrying would not help. */
  | { readonly status: 'aborted'; readonly reason: string }
  /** The destination has accepted it and is not done yet: it is asked again, for `acceptedMsMax`. */
  | { readonly status: 'accepted'; readonly reason: string }

/** Stores progress, so that a restart does not repeat work. */
export interface ErasureProgress {
  /** The last `reached` mark of each user from an earlier call. */
  readonly marks: readonly (string | undefined)[]
  /** Reports results for consecutive users, beginning at index `first`, while others are still in progress. */
  ended(first: number, erasures: readonly Erasure[]): Promise<void>
  /** Reports that all users are done up to a mark. Only the eraser understands marks. */
  reached(mark: string): Promise<void>
}

/** Deletes users at one destination. */
export interface Eraser {
  /** Users per call, 1 or more. */
  readonly usersMax: number
  /**
   * @param users 1 to `usersMax`.
   * @returns one result per user, in order. Repeating a call must be harmless. Rejects only when `signal` aborts, or
   * for a bug.
   */
  erase(
    users: readonly DeletionJob['attributes'][],
    signal: AbortSignal,
    progress?: ErasureProgress,
  ): Promise<readonly Erasure[]>
}
