import {
  acceptedMsMax,
  type DeletionJob,
  type DeletionUpdate,
  deletionAttemptsMax,
  deletionWaitMsMax,
  madeAt,
} from './deletion-job.ts'
import type { Erasure } from './eraser.ts'

/** First wait between attempts, in milliseconds. Each later wait is four times as long. */
const firstWaitMs = 60_000
/** Shortest wait of a job whose turn did not begin: most of them have waited for half a minute in their turn. */
const postponedMsMin = 5_000

/**
 * Returns what becomes of a job whose turn did not begin: it waits a quarter of the time since it was made, up to a minute.
 * Does not count as an attempt, because a destination that is down may hold requests in progress for a long time.
 */
export function postponed(job: DeletionJob, now: number): DeletionUpdate {
  const { id, attempts } = job
  const reason = 'not started: events accepted earlier are still in progress'
  const wait = Math.min(Math.max(postponedMsMin, quarterOfAge(job, now)), firstWaitMs)
  return { id, status: 'failed', attempts, updatedAt: now, dueAt: now + wait, reason }
}

/** A quarter of the time since a job was made, in milliseconds; 0 where its id does not say when. */
function quarterOfAge(job: DeletionJob, now: number): number {
  return Math.ceil((now - madeAt(job)) / 4) || 0
}

/** A destination that has accepted a deletion is asked less often the longer it takes. */
function followed(job: DeletionJob, reason: string, now: number): DeletionUpdate {
  const { id, attempts } = job
  const age = now - madeAt(job)
  if (age > acceptedMsMax) {
    const days = acceptedMsMax / 86_400_000
    return {
      id,
      attempts,
      status: 'aborted',
      updatedAt: now,
      dueAt: now,
      reason: `not done after ${days} days: ${reason}`,
    }
  }
  const wait = Math.min(Math.max(firstWaitMs, quarterOfAge(job, now)), deletionWaitMsMax)
  // Only failures in a row count.
  return { id, attempts: 0, status: 'failed', updatedAt: now, dueAt: now + wait, reason }
}

/** Returns what becomes of a job after a turn: it is over, tried again after a wait, or given up. */
export function updateOf(job: DeletionJob, erasure: Erasure, now: number): DeletionUpdate {
  if (erasure.status === 'accepted') return followed(job, erasure.reason, now)
  const { id, attempts: before } = job
  const attempts = before + 1
  const shared = { id, attempts, updatedAt: now }
  if (erasure.status === 'complete')
    return {
      ...shared,
      status: 'complete',
      dueAt: now,
      reason: erasure.note,
    }
  if (erasure.status === 'aborted') return { ...shared, status: 'aborted', dueAt: now, reason: erasure.reason }
  if (attempts >= deletionAttemptsMax)
    return { ...shared, status: 'aborted', dueAt: now, reason: `given up after ${attempts} tries: ${erasure.reason}` }
  const wait = Math.max(firstWaitMs * 4 ** (attempts - 1), erasure.retryAfterMs ?? 0)
  return { ...shared, status: 'failed', dueAt: now + Math.min(wait, deletionWaitMsMax), reason: erasure.reason }
}
