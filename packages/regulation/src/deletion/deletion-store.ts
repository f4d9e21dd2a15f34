import type { DeletionJob, DeletionUpdate } from './deletion-job.ts'

/** A destination with deletion jobs. */
export interface DeletionTarget {
  readonly workspaceId: string
  readonly destinationId: string
}

/** Numbers of jobs of regulations that were put back without ids. Those of cancelled regulations do not count. */
export interface HeldDeletions {
  /** Jobs that wait for the key under which the ids are encrypted. */
  readonly forKey: number
  /** Jobs that were aborted, because the ids are nowhere: see `needsIds`. */
  readonly forIds: number
}

/** Stores deletion jobs; which are due, `isDeletionDue` says. `RegulationStore` adds them with their regulation and aborts them when it is cancelled. */
export interface DeletionStore {
  /** Returns the jobs of a regulation, ordered by destination. */
  ofRegulation(workspaceId: string, regulationId: string): Promise<readonly DeletionJob[]>
  /** Returns those of these regulations that have jobs. */
  ordered(workspaceId: string, regulationIds: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Has the jobs of regulations wait that were aborted before they began: their users' ids may become known after all, see
   * `RegulationStore.identify`. Jobs of cancelled regulations stay as they are.
   * @param reason for reports.
   */
  hold(workspaceId: string, regulationIds: readonly string[], reason: string): Promise<void>
  /** Returns how many jobs of all workspaces cannot run, because the ids of the users are not known. */
  countHeld(): Promise<HeldDeletions>
  /** Returns the destinations of all workspaces that have jobs due. */
  due(now: number): Promise<readonly DeletionTarget[]>
  /** Returns the earliest time of a job that lies after `now`; undefined when there is none. */
  nextDueAt(now: number): Promise<number | undefined>
  /** Marks the oldest due jobs of a destination as running. @returns these jobs. */
  begin(target: DeletionTarget, now: number, limit: number): Promise<readonly DeletionJob[]>
  /** Stores the progress of running jobs. It is deleted when the job ends. */
  mark(workspaceId: string, ids: readonly string[], mark: string): Promise<void>
  /**
   * Stores the results of running jobs. A job to be retried is aborted instead if its regulation was cancelled. When it fails,
   * some may be stored: it may be called again with the same results.
   */
  end(workspaceId: string, updates: readonly DeletionUpdate[]): Promise<void>
  /**
   * Completes the job of a regulation at a destination that was aborted, unless the regulation was cancelled.
   * @param reason how it was done after all.
   * @returns whether there was such a job.
   */
  complete(workspaceId: string, regulationId: string, destinationId: string, reason: string): Promise<boolean>
  /**
   * Makes the job of a regulation at a destination due that waits after a failure, unless the regulation was cancelled.
   * @returns whether there was such a job.
   */
  bringForward(workspaceId: string, regulationId: string, destinationId: string, now: number): Promise<boolean>
  /**
   * Resets jobs that were running when a process ended to pending, or aborts them if their regulation was cancelled.
   * @returns their number.
   */
  resume(): Promise<number>
}
