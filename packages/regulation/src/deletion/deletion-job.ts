import type { Regulation } from '../regulation.ts'

/**
 * `pending`: not started. `waiting`: not started, because the ids of the user are encrypted under a key that was not given;
 * `reason` says so. `running`: in progress. `complete`: done, as confirmed by the destination. `failed`: will be
 * retried. `aborted`: will not be done; `reason` says why. Source:
 * packages/docs/behaviour/regulations.md#deletion-jobs.
 */
export const deletionStatuses = ['pending', 'waiting', 'running', 'complete', 'failed', 'aborted'] as const

export type DeletionStatus = (typeof deletionStatuses)[number]

/** The deletion of one user at one destination. */
export interface DeletionJob {
  readonly id: string
  readonly workspaceId: string
  readonly regulationId: string
  /** `ownData` for the data Sluice itself keeps. */
  readonly destinationId: string
  /** Identifiers of the user at the destination. */
  readonly attributes: Regulation['attributes']
  readonly status: DeletionStatus
  /** Why a job failed or was aborted; for other states a note, such as a limitation of the deletion. */
  readonly reason?: string
  /** Number of attempts so far. */
  readonly attempts: number
  /** Progress of the eraser: see `ErasureProgress`. */
  readonly mark?: string
  /** Time of the next attempt at the earliest. Times are in milliseconds since the epoch. */
  readonly dueAt: number
  readonly updatedAt: number
}

/** The first attempt and four retries. Source: packages/docs/behaviour/regulations.md#deletion-jobs. */
export const deletionAttemptsMax = 5

/** Returns whether a job ended because its attempts failed, not because nothing can be done. */
export function isGivenUp({ status, attempts }: Pick<DeletionJob, 'status' | 'attempts'>): boolean {
  return status === 'aborted' && attempts >= deletionAttemptsMax
}

/** How the reason of a job begins whose destination cannot delete. */
const unsupported = 'destination not supported'

/** Returns whether a job ended because its destination cannot delete, whatever the ids are. */
export function isUnsupported({ status, reason }: Pick<DeletionJob, 'status' | 'reason'>): boolean {
  return status === 'aborted' && reason?.startsWith(unsupported) === true
}

/** How the reason of a job begins that a person has done, because no program could. */
export const byHand = 'done by a person'

/** Returns the reason of a job that a person has done. */
export function byHandReason(who: string, note: string): string {
  return `${byHand}, ${who}: ${note}`
}

/** Returns whether a person has done a job. */
export function isDoneByHand({ status, reason }: Pick<DeletionJob, 'status' | 'reason'>): boolean {
  return status === 'complete' && reason?.startsWith(byHand) === true
}

/** Destination id of jobs that delete from Sluice itself. No destination can have this id. */
export const ownData = ''

/**
 * How long a destination may take for a deletion that it has accepted, in milliseconds: the month that the law allows, and
 * half as much again. Source: GDPR, Article 12(3).
 */
export const acceptedMsMax = 45 * 86_400_000

/** Returns when a job was made, in milliseconds since the epoch: its id says so. */
export function madeAt({ id }: Pick<DeletionJob, 'id'>): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

/** Longest wait between two attempts, in milliseconds. */
export const deletionWaitMsMax = 6 * 3_600_000

/**
 * Returns whether a waiting job may begin: its time has come, or lies further ahead than any job waits, because the
 * clock was ahead when it was set.
 */
export function isDeletionDue({ dueAt }: Pick<DeletionJob, 'dueAt'>, now: number): boolean {
  return dueAt <= now || dueAt > now + deletionWaitMsMax
}

/** Result of an attempt. */
export type DeletionUpdate = Pick<DeletionJob, 'id' | 'status' | 'attempts' | 'dueAt' | 'updatedAt'> & {
  readonly reason?: string
}

/** Returns whether nothing more will be done for a job. */
export function isDeletionOver({ status }: Pick<DeletionJob, 'status'>): boolean {
  return status === 'complete' || status === 'aborted'
}
