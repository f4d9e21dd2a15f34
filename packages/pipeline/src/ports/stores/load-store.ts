import type { LoadReport } from '@sluice/destinations'
import type { LogPosition } from '../log-position.ts'

/** A load that began: it may have happened in the warehouse, while the cursor does not show it yet. */
export interface BegunLoad {
  readonly loadId: string
  /** The lane of the log; 0 in a log without lanes. */
  readonly lane: number
  /** The last batch of the lane that the load contains. */
  readonly position: LogPosition
}

/** What is stored of a load in one of its lanes. */
export interface LoadMark extends BegunLoad {
  /** Whether its process does nothing for it any more, however it ended: see `isLoadUnderWay`. */
  readonly isOver: boolean
}

/** One attempt at a load. Times are in milliseconds since the epoch. */
export interface LoadAttempt {
  readonly startedAt: number
  readonly endedAt: number
  /** Events that were to be loaded; 0 when it only had to be found out whether an earlier load had happened. */
  readonly events: number
  /** What was loaded; absent when it failed. */
  readonly report?: LoadReport
  /** Why it failed, and what to do. */
  readonly error?: string
  /** When it failed: since when loads have failed. */
  readonly failingSince?: number
}

/** Attempts at loads that a store keeps per consumer. */
export const loadAttemptsMax = 100

/**
 * Remembers across crashes which loads began, and how the last ones went. After a crash, the id of a load shows in the
 * warehouse whether the events up to its position are there already. A mark is kept until the cursor behind its load
 * is committed.
 */
export interface LoadStore {
  /**
   * Marks loads as begun, and deletes the marks of others. Durable when the promise resolves.
   * @param passed loads that are over, and behind the cursor of their lane.
   */
  begin(
    workspaceId: string,
    consumer: string,
    loads: readonly BegunLoad[],
    passed?: readonly Pick<BegunLoad, 'loadId' | 'lane'>[],
  ): Promise<void>
  /** The process that began a load does nothing for it any more. */
  over(workspaceId: string, consumer: string, loadId: string): Promise<void>
  /** All marks, in order of lane and id. */
  begun(workspaceId: string, consumer: string): Promise<readonly LoadMark[]>
  /** Adds an attempt that ended. The oldest beyond `loadAttemptsMax` are deleted. */
  ended(workspaceId: string, consumer: string, attempt: LoadAttempt): Promise<void>
  /** The last attempts, the newest first. @param max how many at most. */
  attempts(workspaceId: string, consumer: string, max: number): Promise<readonly LoadAttempt[]>
  /** Deletes everything of a consumer that is gone. */
  forget(workspaceId: string, consumer: string): Promise<void>
}
