import type { Clock } from '@sluice/core'
import type { DeletionJob, DeletionUpdate } from './deletion-job.ts'
import type { DeletionStore, DeletionTarget } from './deletion-store.ts'
import { postponed, updateOf } from './deletion-update.ts'
import type { DeletionsOptions } from './deletions-options.ts'
import type { Eraser, Erasure } from './eraser.ts'

/** Jobs that end in one turn where a destination cannot delete anything. */
const refusedMax = 1_000
/** Wait after a store error, in milliseconds. */
export const storeWaitMs = 5_000

interface DeletionTurnParts extends Pick<DeletionsOptions, 'clock' | 'eraser' | 'quiet' | 'onEnded' | 'onError'> {
  readonly store: DeletionStore
  readonly clock: Clock
  readonly stopping: AbortSignal
}

/** Runs one turn of a destination: deletes as many users as it accepts at a time. */
export async function runDeletionTurn(target: DeletionTarget, parts: DeletionTurnParts): Promise<void> {
  const { store, clock, eraser, onEnded = async () => {}, onError } = parts
  const who = eraser(target)
  const limit = typeof who === 'string' ? refusedMax : who.usersMax
  const jobs = await store.begin(target, clock.now(), limit)
  if (jobs.length === 0) return
  const updates = (await isQuiet(target, parts))
    ? toUpdates(jobs, await erase(target, who, jobs, parts), clock.now())
    : jobs.map((job) => postponed(job, clock.now()))
  await keep(target, updates, parts)
  const ended = new Set(updates.flatMap(({ id, status }) => (status === 'failed' ? [] : id)))
  await onEnded(jobs.filter(({ id }) => ended.has(id))).catch(onError)
}

async function isQuiet(target: DeletionTarget, { quiet, stopping, onError }: DeletionTurnParts): Promise<boolean> {
  try {
    return quiet === undefined || (await quiet(target, stopping))
  } catch (error) {
    onError(error)
    return false
  }
}

async function erase(
  target: DeletionTarget,
  who: Eraser | string,
  jobs: readonly DeletionJob[],
  parts: DeletionTurnParts,
): Promise<readonly Erasure[]> {
  const { store, clock, stopping, onError } = parts
  if (typeof who === 'string') return jobs.map(() => ({ status: 'aborted', reason: who }))
  try {
    const ids = jobs.map(({ id }) => id)
    return await who.erase(
      jobs.map(({ attributes }) => attributes),
      stopping,
      {
        marks: jobs.map(({ mark }) => mark),
        ended: (first, erasures) =>
          keep(target, toUpdates(jobs.slice(first, first + erasures.length), erasures, clock.now()), parts),
        reached: (mark) => store.mark(target.workspaceId, ids, mark),
      },
    )
  } catch (error) {
    if (!stopping.aborted) onError(error)
    return jobs.map(() => ({ status: 'failed', reason: 'the deletion was interrupted by an error or a shutdown' }))
  }
}

function toUpdates(jobs: readonly DeletionJob[], erasures: readonly Erasure[], now: number): readonly DeletionUpdate[] {
  return jobs.map((job, i) =>
    updateOf(job, erasures[i] ?? { status: 'failed', reason: 'the eraser returned no result for this user' }, now),
  )
}

/** Stores results, and retries only the storing when the store fails, so that no deletion is repeated. */
async function keep(
  { workspaceId }: DeletionTarget,
  updates: readonly DeletionUpdate[],
  { store, clock, stopping, onError }: DeletionTurnParts,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await store.end(workspaceId, updates)
    } catch (error) {
      onError(error)
      await clock.sleep(storeWaitMs, stopping)
    }
  }
}
