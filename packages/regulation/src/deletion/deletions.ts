import type { Clock } from '@sluice/core'
import {
  acceptedMsMax,
  type DeletionJob,
  type DeletionUpdate,
  deletionAttemptsMax,
  deletionWaitMsMax,
  madeAt,
} from './deletion-job.ts'
import type { DeletionStore, DeletionTarget } from './deletion-store.ts'
import type { Eraser, Erasure } from './eraser.ts'

/** First wait between attempts. Each later wait is four times as long. */
const firstWaitMs = 60_000
/** Destinations processed at the same time, in all and per workspace. */
const targetsMax = 8
const targetsPerWorkspaceMax = 4
/** Wait after a store error. */
const storeWaitMs = 5_000
/** Longest wait before the store is checked again, because setting the clock back does not shorten a wait. */
const lookMsMax = 60_000

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
  onError(error: unknown): void
}

/** Runs deletion jobs until each is complete or aborted. */
export interface Deletions {
  start(): Promise<void>
  /** Call this after adding jobs. */
  wake(): void
  /** Returns the jobs of a regulation, ordered by destination. */
  ofRegulation(workspaceId: string, regulationId: string): Promise<readonly DeletionJob[]>
  /** Waits up to `deadlineMs` for running jobs, then aborts them. Unfinished jobs continue after a restart. */
  stop(deadlineMs: number): Promise<void>
}

export function createDeletions({
  store,
  clock,
  eraser,
  quiet,
  isActive = () => true,
  onEnded = async () => {},
  onError,
}: DeletionsOptions): Deletions {
  const stopping = new AbortController()
  const working = new Map<string, { readonly workspaceId: string; readonly done: Promise<void> }>()
  /** Sequence number of each workspace's last turn. */
  const lastTurns = new Map<string, number>()
  let turns = 0
  let stopRequested = false
  let wake: () => void = () => {}
  let isAwake = false
  let running: Promise<void> | undefined
  /** Whether jobs that were running when a process ended are due again. */
  let hasResumed = false

  /** Runs one turn: deletes as many users as the destination accepts at a time. */
  async function work(target: DeletionTarget): Promise<void> {
    if (stopRequested) return
    const who = eraser(target)
    const limit = typeof who === 'string' ? 1_000 : who.usersMax
    const jobs = await store.begin(target, clock.now(), limit)
    if (jobs.length === 0) return
    const updates = (await isQuiet(target))
      ? toUpdates(jobs, await erase(target, who, jobs))
      : jobs.map((job) => postponed(job, clock.now()))
    await keep(target, updates)
    const ended = new Set(updates.flatMap(({ id, status }) => (status === 'failed' ? [] : id)))
    await onEnded(jobs.filter(({ id }) => ended.has(id))).catch(onError)
  }

  /**
   * Returns the next target: of the workspace with the fewest running turns, or among equals the longest without a
   * turn.
   */
  function nextOf(due: readonly DeletionTarget[]): DeletionTarget | undefined {
    if (working.size >= targetsMax) return undefined
    const underWay = (workspaceId: string): number =>
      [...working.values()].filter((each) => each.workspaceId === workspaceId).length
    let best: { readonly target: DeletionTarget; readonly count: number; readonly last: number } | undefined
    for (const target of due) {
      const count = underWay(target.workspaceId)
      const last = lastTurns.get(target.workspaceId) ?? 0
      if (working.has(nameOf(target)) || count >= targetsPerWorkspaceMax) continue
      if (!best || count < best.count || (count === best.count && last < best.last)) best = { target, count, last }
    }
    return best?.target
  }

  function startTurn(target: DeletionTarget): void {
    const name = nameOf(target)
    turns += 1
    lastTurns.set(target.workspaceId, turns)
    const done = work(target)
      .catch(async (error) => {
        onError(error)
        await clock.sleep(storeWaitMs, stopping.signal)
      })
      .finally(() => {
        working.delete(name)
        again()
      })
    working.set(name, { workspaceId: target.workspaceId, done })
  }

  async function isQuiet(target: DeletionTarget): Promise<boolean> {
    try {
      return quiet === undefined || (await quiet(target, stopping.signal))
    } catch (error) {
      onError(error)
      return false
    }
  }

  async function erase(
    target: DeletionTarget,
    who: Eraser | string,
    jobs: readonly DeletionJob[],
  ): Promise<readonly Erasure[]> {
    if (typeof who === 'string') return jobs.map(() => ({ status: 'aborted', reason: who }))
    try {
      const ids = jobs.map(({ id }) => id)
      return await who.erase(
        jobs.map(({ attributes }) => attributes),
        stopping.signal,
        {
          marks: jobs.map(({ mark }) => mark),
          ended: (first, erasures) => keep(target, toUpdates(jobs.slice(first, first + erasures.length), erasures)),
          reached: (mark) => store.mark(target.workspaceId, ids, mark),
        },
      )
    } catch (error) {
      if (!stopping.signal.aborted) onError(error)
      return jobs.map(() => ({ status: 'failed', reason: 'the deletion was interrupted by an error or a shutdown' }))
    }
  }

  function toUpdates(jobs: readonly DeletionJob[], erasures: readonly Erasure[]): readonly DeletionUpdate[] {
    const now = clock.now()
    return jobs.map((job, i) =>
      updateOf(job, erasures[i] ?? { status: 'failed', reason: 'the eraser returned no result for this user' }, now),
    )
  }

  /** Stores results, and retries only the storing when the store fails, so that no deletion is repeated. */
  async function keep({ workspaceId }: DeletionTarget, updates: readonly DeletionUpdate[]): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await store.end(workspaceId, updates)
      } catch (error) {
        onError(error)
        await clock.sleep(storeWaitMs, stopping.signal)
      }
    }
  }

  /** A process that takes over continues the jobs of the one before it. */
  async function isMine(): Promise<boolean> {
    const wasActive = hasResumed
    hasResumed = isActive()
    if (hasResumed && !wasActive) await store.resume()
    return hasResumed
  }

  async function run(): Promise<void> {
    while (!stopRequested) {
      try {
        isAwake = false
        const due = (await isMine()) ? await store.due(clock.now()) : []
        for (let next = nextOf(due); next; next = nextOf(due)) startTurn(next)
        await untilWoken()
      } catch (error) {
        onError(error)
        await clock.sleep(storeWaitMs, stopping.signal)
      }
    }
  }

  function again(): void {
    isAwake = true
    wake()
  }

  async function untilWoken(): Promise<void> {
    const next = await store.nextDueAt(clock.now())
    if (isAwake || stopRequested) return
    const waiting = new AbortController()
    wake = () => waiting.abort()
    await clock.sleep(
      Math.max(1, Math.min(lookMsMax, (next ?? Number.POSITIVE_INFINITY) - clock.now())),
      waiting.signal,
    )
  }

  return {
    async start() {
      await isMine()
      running ??= run()
    },
    wake() {
      // Another process runs them, or this one soon: it is woken when it does.
      if (isActive()) again()
    },
    ofRegulation: (workspaceId, regulationId) => store.ofRegulation(workspaceId, regulationId),
    async stop(deadlineMs) {
      stopRequested = true
      again()
      const timer = setTimeout(() => stopping.abort(new Error('the pipeline is stopping')), deadlineMs)
      await running
      await Promise.all([...working.values()].map(({ done }) => done))
      clearTimeout(timer)
      stopping.abort()
    },
  }
}

function nameOf({ workspaceId, destinationId }: DeletionTarget): string {
  return JSON.stringify([workspaceId, destinationId])
}

/** Does not count as an attempt, because a destination that is down may hold requests in progress for a long time. */
function postponed({ id, attempts }: DeletionJob, now: number): DeletionUpdate {
  const reason = 'not started: events accepted earlier are still in progress'
  return { id, status: 'failed', attempts, updatedAt: now, dueAt: now + firstWaitMs, reason }
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
  const wait = Math.min(Math.max(firstWaitMs, Math.ceil(age / 4) || 0), deletionWaitMsMax)
  // Only failures in a row count.
  return { id, attempts: 0, status: 'failed', updatedAt: now, dueAt: now + wait, reason }
}

function updateOf(job: DeletionJob, erasure: Erasure, now: number): DeletionUpdate {
  if (erasure.status === 'accepted') return followed(job, erasure.reason, now)
  const { id, attempts: before } = job
  const attempts = before + 1
  const shared = { id, attempts, updatedAt: now }
  if (erasure.status === 'complete')
    return {
      ...shared,
      status: 'complete',
      dueAt: now,
      ...(erasure.note === undefined ? {} : { reason: erasure.note }),
    }
  if (erasure.status === 'aborted') return { ...shared, status: 'aborted', dueAt: now, reason: erasure.reason }
  if (attempts >= deletionAttemptsMax)
    return { ...shared, status: 'aborted', dueAt: now, reason: `given up after ${attempts} tries: ${erasure.reason}` }
  const wait = Math.max(firstWaitMs * 4 ** (attempts - 1), erasure.retryAfterMs ?? 0)
  return { ...shared, status: 'failed', dueAt: now + Math.min(wait, deletionWaitMsMax), reason: erasure.reason }
}
