import type { Clock } from '@sluice/core'
import type { DeletionJob } from './deletion-job.ts'
import type { DeletionStore, DeletionTarget } from './deletion-store.ts'
import type { Eraser } from './eraser.ts'

export interface DeletionsOptions {
  readonly store: DeletionStore
  readonly clock: Clock
  /** Returns the eraser of a destination, or a text that says why nothing can be deleted there. */
  eraser(target: DeletionTarget): Eraser | string
  /**
   * Resolves to true once no request with events of users whose deletion has begun is in progress at the destination,
   * and to false if that takes too long. Absent: no such request can exist.
   */
  quiet?(target: DeletionTarget, signal: AbortSignal): Promise<boolean>
  /** Whether this process runs the jobs, of several that share the store. Default: it does. */
  isActive?(): boolean
  /** Called with jobs that have ended, after that is stored. */
  onEnded?(jobs: readonly DeletionJob[]): Promise<void>
  /** Called when a job was made due that another process runs. Left out, it runs within a minute. */
  onBroughtForward?(): void
  onError(error: unknown): void
}
