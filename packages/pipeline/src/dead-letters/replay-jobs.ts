import { type Clock, type Random, uuidV7 } from '@sluice/core'
import type { DeadLetterChoice, DeadLetters } from './dead-letters.ts'

/** Jobs that are kept, over all workspaces: beyond it, the oldest that are over are forgotten. */
const jobsMax = 100
/** Jobs under way, over all workspaces; each holds the ids of its letters. */
const runningMax = 10
/** Letters replayed between two looks at whether the job was stopped. */
const lettersAtOnce = 200

/** The replay of many dead letters, with its progress. */
export interface ReplayJob {
  readonly id: string
  readonly workspaceId: string
  readonly state: 'running' | 'done' | 'stopped' | 'failed'
  /** Letters that were chosen when it began. */
  readonly total: number
  /** Letters that are on their way. */
  readonly done: number
  /** Letters that could not be sent: they were gone, or their destination is. */
  readonly failed: number
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt?: number
  /** Why it failed. */
  readonly problem?: string
}

/** Replays of dead letters in the background. They are in the memory of the process: a restart forgets them. */
export interface ReplayJobs {
  /** Starts a job. @returns undefined when too many are under way. */
  start(workspaceId: string, which: DeadLetterChoice): Promise<ReplayJob | undefined>
  find(workspaceId: string, id: string): ReplayJob | undefined
  /** The newest first. */
  list(workspaceId: string): readonly ReplayJob[]
  /** Stops a job after what it sends at this moment. @returns false when there is no such job. */
  stop(workspaceId: string, id: string): boolean
  /** Stops all jobs, and waits for what they send. */
  close(): Promise<void>
}

interface ReplayJobsOptions {
  readonly deadLetters: Pick<DeadLetters, 'ids' | 'replay'>
  readonly clock: Clock
  readonly random: Random
  onError(error: unknown): void
}

interface Work {
  job: ReplayJob
  isStopping: boolean
  running: Promise<void>
}

export function createReplayJobs({ deadLetters, clock, random, onError }: ReplayJobsOptions): ReplayJobs {
  const works = new Map<string, Work>()
  let starting = 0
  let isClosed = false
  const find = (workspaceId: string, id: string): Work | undefined => {
    const work = works.get(id)
    return work?.job.workspaceId === workspaceId ? work : undefined
  }
  const isRunning = ({ job }: Work): boolean => job.state === 'running'

  async function run(work: Work, ids: readonly string[]): Promise<void> {
    const { workspaceId } = work.job
    for (let start = 0; start < ids.length && !work.isStopping; start += lettersAtOnce) {
      const chunk = ids.slice(start, start + lettersAtOnce)
      const done = await deadLetters.replay(workspaceId, { ids: chunk })
      work.job = { ...work.job, done: work.job.done + done, failed: work.job.failed + chunk.length - done }
    }
  }

  async function runToEnd(work: Work, ids: readonly string[]): Promise<void> {
    try {
      await run(work, ids)
      const { done, failed, total } = work.job
      work.job = { ...work.job, state: done + failed < total ? 'stopped' : 'done', endedAt: clock.now() }
    } catch (error) {
      onError(error)
      const problem = 'The store failed. Start the replay again for what is left; the log of the server says more.'
      work.job = { ...work.job, state: 'failed', endedAt: clock.now(), problem }
    }
  }

  function forgetOldest(): void {
    for (const [id, work] of works) {
      if (works.size <= jobsMax) return
      if (!isRunning(work)) works.delete(id)
    }
  }

  return {
    start: async (workspaceId, which) => {
      if (isClosed || starting + [...works.values()].filter(isRunning).length >= runningMax) return undefined
      starting += 1
      const ids = await deadLetters.ids(workspaceId, which).finally(() => {
        starting -= 1
      })
      const job: ReplayJob = {
        id: uuidV7(clock, random),
        workspaceId,
        state: 'running',
        total: ids.length,
        done: 0,
        failed: 0,
        startedAt: clock.now(),
      }
      const work: Work = { job, isStopping: isClosed, running: Promise.resolve() }
      works.set(job.id, work)
      work.running = runToEnd(work, ids)
      forgetOldest()
      return job
    },
    find: (workspaceId, id) => find(workspaceId, id)?.job,
    list: (workspaceId) =>
      [...works.values()].flatMap(({ job }) => (job.workspaceId === workspaceId ? job : [])).reverse(),
    stop: (workspaceId, id) => {
      const work = find(workspaceId, id)
      if (work) work.isStopping = true
      return work !== undefined
    },
    close: async () => {
      isClosed = true
      for (const work of works.values()) work.isStopping = true
      await Promise.all([...works.values()].map(({ running }) => running))
    },
  }
}
