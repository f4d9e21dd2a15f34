import { type DeletionJob, isDeletionOver } from '../deletion/deletion-job.ts'
import type { Regulation } from '../regulation.ts'
import type { SubjectRequest } from './subject-request.ts'

/** Source: OpenDSR specification, 8. It has no word for an erasure that cannot be completed: such a one stays `in_progress`. */
export type SubjectRequestStatus = 'pending' | 'in_progress' | 'completed' | 'cancelled'

/** What is known of a request at a time. */
export interface SubjectRequestState {
  readonly request: SubjectRequest
  readonly status: SubjectRequestStatus
  /** Whether nothing more will be done. */
  readonly isOver: boolean
  /** Whether there are results to be fetched. */
  readonly hasResults: boolean
  /** When it was, or is expected to be, over, in milliseconds since the epoch. */
  readonly expectedAt: number
  /** Deletions of an erasure, Sluice itself included. */
  readonly deletions?: {
    readonly total: number
    readonly complete: number
    readonly open: number
    readonly aborted: number
  }
}

/** A deletion is tried five times, with waits of up to six hours each; a day more for what waits its turn. */
const erasureMsMax = 48 * 3_600_000

/**
 * Returns the state of a request, which follows the deletions of all its regulations.
 * @param regulations of the request that the store has; none for other requests than erasures.
 * @param jobs of these regulations.
 */
export function requestState(
  request: SubjectRequest,
  regulations: readonly Regulation[],
  jobs: readonly DeletionJob[],
): SubjectRequestState {
  if (request.type !== 'erasure')
    return { request, status: 'completed', isOver: true, hasResults: true, expectedAt: request.receivedAt }
  const complete = jobs.filter(({ status }) => status === 'complete').length
  const over = jobs.filter(isDeletionOver).length
  // A store that was restored may lack some of them for a while.
  const begun = new Set(jobs.map(({ regulationId }) => regulationId))
  const isOver = request.regulationIds.every((id) => begun.has(id)) && over === jobs.length
  const isCanceled = isEveryCanceled(request, regulations)
  return {
    request,
    status: isCanceled ? 'cancelled' : statusOf(jobs, isOver && complete === jobs.length),
    isOver: isOver || isCanceled,
    hasResults: isOver,
    expectedAt: isOver ? Math.max(...jobs.map(({ updatedAt }) => updatedAt)) : request.receivedAt + erasureMsMax,
    deletions: { total: jobs.length, complete, open: jobs.length - over, aborted: over - complete },
  }
}

function isEveryCanceled({ regulationIds }: SubjectRequest, regulations: readonly Regulation[]): boolean {
  return regulations.length === regulationIds.length && regulations.every(({ canceled }) => canceled)
}

function statusOf(jobs: readonly DeletionJob[], isComplete: boolean): SubjectRequestStatus {
  if (jobs.every(({ status }) => status === 'pending')) return 'pending'
  return isComplete ? 'completed' : 'in_progress'
}

/** Returns what call-backs report of a state. It changes once more when an erasure is over that could not be completed. */
export function reportOf({ status, isOver }: Pick<SubjectRequestState, 'status' | 'isOver'>): string {
  return status === 'in_progress' && isOver ? 'incomplete' : status
}
