import type { Clock } from '@sluice/core'
import {
  type DeletionJob,
  type DeletionLimit,
  type DeletionStore,
  isDeletionDue,
  needsIds,
  type Regulation,
} from '@sluice/regulation'
import { compareCodePoints } from '@sluice/schema'

interface MemoryDeletionStore extends DeletionStore {
  addNow(jobs: readonly DeletionJob[]): void
  /** Returns how many jobs count towards a limit. */
  countFrom(limit: DeletionLimit): number
  /** Aborts the jobs that have neither started nor ended. */
  cancelNow(workspaceId: string, regulationId: string): void
  /** Has the jobs of a regulation begin that waited for ids, or were aborted for want of them. */
  identifyNow(regulation: Pick<Regulation, 'workspaceId' | 'id' | 'attributes'>): void
}

export function createMemoryDeletionStore(requireOpen: () => void, clock: Pick<Clock, 'now'>): MemoryDeletionStore {
  /** In order of insertion. */
  const jobs = new Map<string, DeletionJob>()
  const cancelled = new Set<string>()
  const waiting = (): readonly DeletionJob[] =>
    [...jobs.values()].filter(({ status }) => status === 'pending' || status === 'failed')

  const jobsOf = (workspaceId: string, regulationId: string): readonly DeletionJob[] =>
    [...jobs.values()].filter((job) => job.workspaceId === workspaceId && job.regulationId === regulationId)
  const isCancelled = (workspaceId: string, regulationId: string): boolean =>
    cancelled.has(JSON.stringify([workspaceId, regulationId]))

  function abortCancelled(change: Partial<DeletionJob> = {}): void {
    const held = [...jobs.values()].filter(({ status }) => status === 'waiting')
    for (const job of [...waiting(), ...held])
      if (isCancelled(job.workspaceId, job.regulationId))
        jobs.set(job.id, { ...job, ...change, status: 'aborted', reason: 'cancelled' })
  }

  return {
    addNow: (added) => {
      for (const job of added) if (!jobs.has(job.id)) jobs.set(job.id, structuredClone(job))
    },
    countFrom: ({ workspaceId, fromId }) =>
      [...jobs.values()].filter((job) => job.workspaceId === workspaceId && job.id >= fromId).length,
    cancelNow: (workspaceId, regulationId) => {
      cancelled.add(JSON.stringify([workspaceId, regulationId]))
      abortCancelled({ updatedAt: clock.now() })
    },
    ofRegulation: async (workspaceId, regulationId) => {
      requireOpen()
      return [...jobsOf(workspaceId, regulationId)].sort((a, b) => compareCodePoints(a.destinationId, b.destinationId))
    },
    identifyNow: ({ workspaceId, id, attributes }) => {
      const now = clock.now()
      for (const { reason: _, ...job } of jobsOf(workspaceId, id)) {
        if (job.status !== 'waiting' && job.status !== 'aborted') continue
        jobs.set(job.id, { ...job, attributes, status: 'pending', attempts: 0, dueAt: now, updatedAt: now })
      }
    },
    hold: async (workspaceId, regulationIds, reason) => {
      requireOpen()
      for (const job of regulationIds.flatMap((id) => jobsOf(workspaceId, id)))
        if (job.status === 'aborted' && job.attempts === 0 && !isCancelled(workspaceId, job.regulationId))
          jobs.set(job.id, { ...job, status: 'waiting', reason, updatedAt: clock.now() })
    },
    countHeld: async () => {
      requireOpen()
      const all = [...jobs.values()]
      const withoutIds = all.filter(({ status, reason }) => status === 'aborted' && reason === needsIds)
      return {
        forKey: all.filter(({ status }) => status === 'waiting').length,
        forIds: withoutIds.filter((job) => !isCancelled(job.workspaceId, job.regulationId)).length,
      }
    },
    ordered: async (workspaceId, regulationIds) => {
      requireOpen()
      const wanted = new Set(regulationIds)
      const found = [...jobs.values()].filter((job) => job.workspaceId === workspaceId && wanted.has(job.regulationId))
      return new Set(found.map(({ regulationId }) => regulationId))
    },
    due: async (now) => {
      requireOpen()
      const targets = new Map<string, { workspaceId: string; destinationId: string }>()
      for (const { workspaceId, destinationId } of waiting().filter((job) => isDeletionDue(job, now)))
        targets.set(JSON.stringify([workspaceId, destinationId]), { workspaceId, destinationId })
      return [...targets.values()]
    },
    nextDueAt: async (now) => {
      requireOpen()
      const later = waiting().flatMap(({ dueAt }) => (dueAt > now ? [dueAt] : []))
      return later.length === 0 ? undefined : Math.min(...later)
    },
    begin: async ({ workspaceId, destinationId }, now, limit) => {
      requireOpen()
      const begun = waiting()
        .filter(
          (job) => job.workspaceId === workspaceId && job.destinationId === destinationId && isDeletionDue(job, now),
        )
        .slice(0, limit)
        .map((job): DeletionJob => ({ ...job, status: 'running', updatedAt: now }))
      for (const job of begun) jobs.set(job.id, job)
      return begun
    },
    mark: async (workspaceId, ids, mark) => {
      requireOpen()
      for (const id of ids) {
        const job = jobs.get(id)
        if (job?.workspaceId === workspaceId && job.status === 'running') jobs.set(id, { ...job, mark })
      }
    },
    end: async (workspaceId, updates) => {
      requireOpen()
      for (const update of updates) {
        const job = jobs.get(update.id)
        if (job?.workspaceId !== workspaceId || job.status !== 'running') continue
        const { reason: _, ...rest } = job
        jobs.set(job.id, { ...rest, ...update })
      }
      abortCancelled()
    },
    complete: async (workspaceId, regulationId, destinationId, reason) => {
      requireOpen()
      const job = jobsOf(workspaceId, regulationId).find((each) => each.destinationId === destinationId)
      if (job?.status !== 'aborted' || isCancelled(workspaceId, regulationId)) return false
      jobs.set(job.id, { ...job, status: 'complete', reason, updatedAt: clock.now() })
      return true
    },
    bringForward: async (workspaceId, regulationId, destinationId, now) => {
      requireOpen()
      const job = jobsOf(workspaceId, regulationId).find((each) => each.destinationId === destinationId)
      if (job?.status !== 'failed' || isCancelled(workspaceId, regulationId)) return false
      jobs.set(job.id, { ...job, dueAt: now })
      return true
    },
    resume: async () => {
      requireOpen()
      const running = [...jobs.values()].filter(({ status }) => status === 'running')
      for (const job of running) jobs.set(job.id, { ...job, status: 'pending' })
      abortCancelled()
      return running.length
    },
  }
}
