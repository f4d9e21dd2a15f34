import type { DeletionJob, DeletionUpdate } from './deletion-job.ts'

/** Destinations with something to do. */
export interface DeletionTarget {
  readonly workspaceId: string
  readonly destinationId: string
}

/** Jobs are added with their regulation and aborted when it is cancelled: see `RegulationStore`. */
export interface DeletionStore {
  /** Of one regulation, in order of destination. */
  ofRegulation(workspaceId: string, regulationId: string): Promise<readonly DeletionJob[]>
  /** Destinations with jobs that are due, of all workspaces. */
  due(now: number): Promise<readonly DeletionTarget[]>
  /** When the next job will be due that is not yet; undefined when there is none. */
  nextDueAt(now: number): Promise<number | undefined>
  /** Begins the oldest due jobs of a destination: they are running from then on. @returns them. */
  begin(target: DeletionTarget, now: number, limit: number): Promise<readonly DeletionJob[]>
  /** Stores how far running jobs came; what they come to later leaves it. */
  mark(workspaceId: string, ids: readonly string[], mark: string): Promise<void>
  /** Stores what running jobs came to. What would be tried again although its regulation was cancelled is aborted. */
  end(workspaceId: string, updates: readonly DeletionUpdate[]): Promise<void>
  /** What was running when a process ended is pending again, or aborted if its regulation was cancelled. Their number. */
  resume(): Promise<number>
}
