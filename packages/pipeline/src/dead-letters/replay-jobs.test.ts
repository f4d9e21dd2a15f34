import { createManualClock, createSeededRandom } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createReplayJobs } from './replay-jobs.ts'

/** Jobs whose replays wait until the gate opens, or fail. */
function scene({ fails = false } = {}) {
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const chunks: number[] = []
  const errors: unknown[] = []
  const jobs = createReplayJobs({
    deadLetters: {
      ids: async (_, which) => ('ids' in which ? which.ids : []),
      replay: async (_, which) => {
        await gate
        if (fails) throw new Error('the disk is gone')
        const ids = 'ids' in which ? which.ids : []
        chunks.push(ids.length)
        return ids.length
      },
    },
    clock: createManualClock(5),
    random: createSeededRandom(1),
    onError: (error) => errors.push(error),
  })
  const ids = Array.from({ length: 500 }, (_, n) => `${n}`)
  return { jobs, open, chunks, errors, ids }
}

describe('replay jobs', () => {
  it('refuse another while ten are under way, over all workspaces', async () => {
    const { jobs, open } = scene()
    const started = await Promise.all(Array.from({ length: 12 }, (_, n) => jobs.start(`w${n % 2}`, { ids: ['a'] })))
    expect(started.filter((job) => job === undefined)).toHaveLength(2)
    open()
    await jobs.close()
    expect(jobs.list('w0').map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'done'))
  })

  it('stop after what they send at the moment, when they are stopped and when the process stops', async () => {
    for (const stop of ['stop', 'close'] as const) {
      const { jobs, open, chunks, ids } = scene()
      const job = await jobs.start('w', { ids })
      expect(job && jobs.stop('other', job.id)).toBe(false)
      if (stop === 'stop') expect(job && jobs.stop('w', job.id)).toBe(true)
      const closed = jobs.close()
      open()
      await closed
      expect([jobs.list('w'), chunks]).toMatchObject([[{ state: 'stopped', total: 500, done: 200, failed: 0 }], [200]])
    }
  })

  it('fail when the store fails, with a text that names no detail of it', async () => {
    const { jobs, open, errors } = scene({ fails: true })
    await jobs.start('w', { ids: ['a'] })
    open()
    await jobs.close()
    expect(jobs.list('w')).toMatchObject([{ state: 'failed', problem: expect.stringMatching(/^The store failed\./) }])
    expect([errors.length, jobs.list('w')[0]?.problem]).toEqual([1, expect.not.stringContaining('disk')])
  })
})
