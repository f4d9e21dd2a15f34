import { createManualClock } from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import { type DeletionJob, isDeletionDue } from './deletion-job.ts'
import type { DeletionStore } from './deletion-store.ts'
import { createDeletions, type Deletions } from './deletions.ts'
import type { DeletionsOptions } from './deletions-options.ts'
import type { Eraser, Erasure } from './eraser.ts'

const minuteMs = 60_000
const running: Deletions[] = []
afterEach(async () => {
  for (const deletions of running.splice(0)) await deletions.stop(0)
})

const jobOf = (userId: string, more: Partial<DeletionJob> = {}): DeletionJob => ({
  id: userId,
  workspaceId: 'w',
  regulationId: 'r',
  destinationId: 'crm',
  attributes: { userId },
  status: 'pending',
  attempts: 0,
  dueAt: 0,
  updatedAt: 0,
  ...more,
})

/** The port, kept by hand. @param failing how often `end` still fails. */
function storeOf(jobs: Map<string, DeletionJob>, failing: { times: number }): DeletionStore {
  const waiting = () => [...jobs.values()].filter(({ status }) => status === 'pending' || status === 'failed')
  return {
    ofRegulation: async () => [...jobs.values()],
    ordered: async (_workspaceId, ids) => new Set(ids),
    hold: async (_workspaceId, ids, reason) => {
      for (const job of jobs.values())
        if (ids.includes(job.regulationId)) jobs.set(job.id, { ...job, status: 'waiting', reason })
    },
    countHeld: async () => ({
      forKey: [...jobs.values()].filter(({ status }) => status === 'waiting').length,
      forIds: 0,
    }),
    due: async (now) => waiting().filter((job) => isDeletionDue(job, now)),
    nextDueAt: async (now) => Math.min(...waiting().flatMap(({ dueAt }) => (dueAt > now ? [dueAt] : []))),
    begin: async ({ destinationId }, now, limit) => {
      const begun = waiting().filter((job) => job.destinationId === destinationId && isDeletionDue(job, now))
      for (const job of begun.slice(0, limit)) jobs.set(job.id, { ...job, status: 'running' })
      return begun.slice(0, limit)
    },
    complete: async (_workspaceId, _regulationId, destinationId, reason) => {
      const job = [...jobs.values()].find((each) => each.destinationId === destinationId && each.status === 'aborted')
      if (job) jobs.set(job.id, { ...job, status: 'complete', reason })
      return job !== undefined
    },
    bringForward: async (_workspaceId, _regulationId, destinationId, now) => {
      const job = [...jobs.values()].find((each) => each.destinationId === destinationId && each.status === 'failed')
      if (job) jobs.set(job.id, { ...job, dueAt: now })
      return job !== undefined
    },
    mark: async (_, ids, mark) => {
      for (const job of jobs.values()) if (ids.includes(job.id)) jobs.set(job.id, { ...job, mark })
    },
    end: async (_, updates) => {
      failing.times -= 1
      if (failing.times >= 0) throw new Error('the disk is full')
      for (const update of updates) jobs.set(update.id, { ...jobOf(update.id), ...jobs.get(update.id), ...update })
    },
    resume: async () => {
      for (const job of jobs.values()) if (job.status === 'running') jobs.set(job.id, { ...job, status: 'pending' })
      return 0
    },
  }
}

async function start(
  all: readonly DeletionJob[],
  eraser: Eraser | string,
  { failing = { times: 0 }, ...more }: Partial<DeletionsOptions> & { failing?: { times: number } } = {},
) {
  const clock = createManualClock(1_000)
  const jobs = new Map(all.map((job) => [job.id, job]))
  const errors: unknown[] = []
  const store = storeOf(jobs, failing)
  const onError = (error: unknown) => errors.push(error)
  const deletions = createDeletions({ store, clock, eraser: () => eraser, onError, ...more })
  running.push(deletions)
  await deletions.start()
  /** Waits until a job is in this state after so many attempts. */
  const until = (id: string, status: DeletionJob['status'], attempts: number): Promise<void> =>
    expect.poll(() => jobs.get(id), { interval: 1 }).toMatchObject({ status, attempts })
  return { clock, jobs, errors, deletions, until }
}

/** An eraser that answers as `answer` says for each user. */
const eraserThat = (answer: (userId: string) => Erasure, usersMax = 10): Eraser & { calls: string[][] } => {
  const calls: string[][] = []
  return {
    usersMax,
    calls,
    erase: async (users) => {
      calls.push(users.map(({ userId }) => userId))
      return users.map(({ userId }) => answer(userId))
    },
  }
}

describe('deletions', () => {
  it('delete as many users in a call as the destination accepts, and end each as it was answered', async () => {
    const answers: Record<string, Erasure> = {
      u1: { status: 'complete' },
      u2: { status: 'complete', note: 'found nothing' },
      u3: { status: 'aborted', reason: 'not allowed' },
    }
    const eraser = eraserThat((userId) => answers[userId] ?? { status: 'complete' }, 2)
    const { jobs, until } = await start(
      ['u1', 'u2', 'u3'].map((id) => jobOf(id)),
      eraser,
    )
    await until('u3', 'aborted', 1)
    expect(eraser.calls).toEqual([['u1', 'u2'], ['u3']])
    expect([...jobs.values()].map(({ status, reason }) => [status, reason])).toEqual([
      ['complete', undefined],
      ['complete', 'found nothing'],
      ['aborted', 'not allowed'],
    ])
  })

  it('are tried five times, each wait four times as long as the one before, and then given up', async () => {
    const eraser = eraserThat(() => ({ status: 'failed', reason: 'busy' }))
    const { clock, jobs, until } = await start([jobOf('u1')], eraser)
    for (const [attempt, minutes] of [1, 4, 16, 64].entries()) {
      await until('u1', 'failed', attempt + 1)
      expect(jobs.get('u1')?.dueAt).toBe(clock.now() + minutes * minuteMs)
      await new Promise(setImmediate)
      clock.advance(minutes * minuteMs)
    }
    await until('u1', 'aborted', 5)
    expect(jobs.get('u1')?.reason).toBe('given up after 5 tries: busy')
  })

  it('are tried at once when a person wants it, and only while they wait after a failure', async () => {
    let isUp = false
    const eraser = eraserThat(() => (isUp ? { status: 'complete' } : { status: 'failed', reason: 'busy' }))
    const { clock, deletions, until } = await start([jobOf('u1')], eraser)
    await until('u1', 'failed', 1)
    clock.advance(1)
    expect(await deletions.tryNow('w', 'r', 'crm')).toBe(true)
    await until('u1', 'failed', 2)
    isUp = true
    expect(await deletions.tryNow('w', 'r', 'crm')).toBe(true)
    await until('u1', 'complete', 3)
    expect(await deletions.tryNow('w', 'r', 'crm')).toBe(false)
    expect(eraser.calls).toHaveLength(3)
  })

  it('are announced to the process that runs them when another one is asked to try', async () => {
    const announced: string[] = []
    const waiting = jobOf('u1', { status: 'failed', attempts: 1, dueAt: minuteMs })
    const { deletions, jobs } = await start(
      [waiting],
      eraserThat(() => ({ status: 'complete' })),
      {
        isActive: () => false,
        onBroughtForward: () => announced.push('asked'),
      },
    )
    expect(await deletions.tryNow('w', 'r', 'crm')).toBe(true)
    expect([announced, jobs.get('u1')?.status]).toEqual([['asked'], 'failed'])
  })

  it('wait as long as the destination asks when that is longer', async () => {
    const eraser = eraserThat(() => ({ status: 'failed', reason: 'busy', retryAfterMs: 3 * minuteMs }))
    const { clock, jobs, until } = await start([jobOf('u1')], eraser)
    await until('u1', 'failed', 1)
    expect(jobs.get('u1')?.dueAt).toBe(clock.now() + 3 * minuteMs)
  })

  it('are tried at once when their time lies further ahead than any wait: the clock was set back', async () => {
    const eraser = eraserThat(() => ({ status: 'complete' }))
    const { until } = await start([jobOf('u1', { status: 'failed', attempts: 1, dueAt: 24 * 60 * minuteMs })], eraser)
    await until('u1', 'complete', 2)
  })

  it('wait at most six hours, however long the destination asks for', async () => {
    const eraser = eraserThat(() => ({ status: 'failed', reason: 'busy', retryAfterMs: 7 * 60 * minuteMs }))
    const { clock, jobs, until } = await start([jobOf('u1')], eraser)
    await until('u1', 'failed', 1)
    expect(jobs.get('u1')?.dueAt).toBe(clock.now() + 6 * 60 * minuteMs)
  })

  it('end at once where nothing can be deleted, and say why', async () => {
    const { jobs, until } = await start([jobOf('u1')], 'this destination cannot delete')
    await until('u1', 'aborted', 1)
    expect(jobs.get('u1')?.reason).toBe('this destination cannot delete')
  })

  it('do not begin, and count no attempt, while events accepted earlier are in progress', async () => {
    const eraser = eraserThat(() => ({ status: 'complete' }))
    let isQuiet = false
    const { clock, jobs, until } = await start([jobOf('u1')], eraser, { quiet: async () => isQuiet })
    await until('u1', 'failed', 0)
    expect([eraser.calls, jobs.get('u1')?.reason]).toEqual([[], expect.stringContaining('still in progress')])
    isQuiet = true
    await new Promise(setImmediate)
    clock.advance(minuteMs)
    await until('u1', 'complete', 1)
  })

  it('fail and are tried again when an eraser throws, or answers for too few users', async () => {
    const bug = new Error('bug')
    const broken = await start([jobOf('u1')], { usersMax: 1, erase: () => Promise.reject(bug) })
    await broken.until('u1', 'failed', 1)
    expect(broken.errors).toEqual([bug])
    const silent = await start([jobOf('u1'), jobOf('u2')], { usersMax: 2, erase: async () => [{ status: 'complete' }] })
    await silent.until('u2', 'failed', 1)
    expect(silent.jobs.get('u1')?.status).toBe('complete')
    expect(silent.jobs.get('u2')?.reason).toContain('no result for this user')
  })

  it('delete no one twice because the store failed: only storing is repeated', async () => {
    const eraser = eraserThat(() => ({ status: 'complete' }))
    const { clock, errors, until } = await start([jobOf('u1')], eraser, { failing: { times: 2 } })
    for (const count of [1, 2]) {
      await expect.poll(() => errors.length, { interval: 1 }).toBe(count)
      await new Promise(setImmediate)
      clock.advance(5_000)
    }
    await until('u1', 'complete', 1)
    expect(eraser.calls).toHaveLength(1)
  })

  it('give an eraser the progress it stored before', async () => {
    const marks: (readonly (string | undefined)[] | undefined)[] = []
    const eraser: Eraser = {
      usersMax: 1,
      erase: async (_users, _signal, progress) => {
        marks.push(progress?.marks)
        await progress?.reached('page 2')
        return [{ status: 'failed', reason: 'cut off' }]
      },
    }
    const { clock, until } = await start([jobOf('u1')], eraser)
    await until('u1', 'failed', 1)
    await new Promise(setImmediate)
    clock.advance(minuteMs)
    await until('u1', 'failed', 2)
    expect(marks).toEqual([[undefined], ['page 2']])
  })

  it('take up after a restart what was in progress when the process ended', async () => {
    const { until } = await start(
      [jobOf('u1', { status: 'running' })],
      eraserThat(() => ({ status: 'complete' })),
    )
    await until('u1', 'complete', 1)
  })

  it('begin as soon as they are woken', async () => {
    const { jobs, deletions, until } = await start(
      [],
      eraserThat(() => ({ status: 'complete' })),
    )
    jobs.set('u1', jobOf('u1'))
    deletions.wake()
    await until('u1', 'complete', 1)
  })

  it('are interrupted when they take longer than a stop may, and are left for the next start', async () => {
    const eraser: Eraser = {
      usersMax: 1,
      erase: (_users, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }
    const { jobs, deletions, errors } = await start([jobOf('u1')], eraser)
    await expect.poll(() => jobs.get('u1')?.status, { interval: 1 }).toBe('running')
    await deletions.stop(5)
    expect([jobs.get('u1')?.status, errors]).toEqual(['running', []])
  })
})
