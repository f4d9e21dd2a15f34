import type { Regulation } from './regulation.ts'

/**
 * `pending`: not begun. `running`: under way. `complete`: done, provably. `failed`: will be tried again. `aborted`:
 * will not
 * be done, and `reason` says why. Source: packages/docs/behaviour/regulations.md#deletion-jobs.
 */
export const deletionStatuses = ['pending', 'running', 'complete', 'failed', 'aborted'] as const

export type DeletionStatus = (typeof deletionStatuses)[number]

/** The deletion of one user at one destination. */
export interface DeletionJob {
  readonly id: string
  readonly workspaceId: string
  readonly regulationId: string
  /** `ownData` for what Sluice itself keeps. */
  readonly destinationId: string
  /** What identifies the user there. */
  readonly attributes: Regulation['attributes']
  readonly status: DeletionStatus
  /** Why it failed or was aborted; of others, what is to be known about it. */
  readonly reason?: string
  /** How often it was tried. */
  readonly attempts: number
  /** How far it came: see `ErasureProgress`. */
  readonly mark?: string
  /** When it may be tried next. Times are milliseconds since the epoch. */
  readonly dueAt: number
  readonly updatedAt: number
}

/** Stands for Sluice itself where jobs name a destination; no destination can have this id. */
export const ownData = ''

/** What a try came to. */
export type DeletionUpdate = Pick<DeletionJob, 'id' | 'status' | 'attempts' | 'dueAt' | 'updatedAt'> & {
  readonly reason?: string
}
