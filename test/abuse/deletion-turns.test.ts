import { createManualClock, createSeededRandom } from '@sluice/core'
import { createDeletions, type DeletionJob, type Regulation } from '@sluice/regulation'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'

const jobOf = (workspaceId: string, destinationId: string, n: number): DeletionJob => ({
  id: `${workspaceId}-${destinationId}-${n}`,
  workspaceId,
  regulationId: workspaceId,
  destinationId,
  attributes: { userId: `u${n}` },
  status: 'pending',
  attempts: 0,
  dueAt: 0,
  updatedAt: 0,
})
const regulationOf = (workspaceId: string): Regulation => ({
  id: workspaceId,
  workspaceId,
  canceled: false,
  regulationType: 'suppress_with_delete',
  attributes: { userId: 'u' },
  sourceIds: [],
  destinationIds: [],
  createdAt: '2026-01-01T00:00:00.000Z',
})

it('a workspace with endless deletions at many slow destinations does not delay the deletions of another workspace', async () => {
  const clock = createManualClock(1_000)
  const { regulations } = createMemoryStore({ clock, random: createSeededRandom(1) })
  const flood = Array.from({ length: 12 }, (_, d) => Array.from({ length: 5 }, (_, n) => jobOf('a', `d${d}`, n))).flat()
  await regulations.add([regulationOf('a')], flood)
  await regulations.add([regulationOf('b')], [jobOf('b', 'd0', 0)])

  const held: (() => void)[] = []
  const begun: string[] = []
  const deletions = createDeletions({
    store: regulations.deletions,
    clock,
    onError: (error) => {
      throw error
    },
    eraser: ({ workspaceId }) => ({
      usersMax: 1,
      erase: async () => {
        begun.push(workspaceId)
        if (workspaceId === 'a') await new Promise<void>((resolve) => held.push(resolve))
        return [{ status: 'complete' }]
      },
    }),
  })
  await deletions.start()
  await eventually(() => begun.filter((workspaceId) => workspaceId === 'b').length).toBe(1)
  await eventually(async () => (await deletions.ofRegulation('b', 'b'))[0]?.status).toBe('complete')
  // The other workspace has its own four places, and no more.
  expect(begun.filter((workspaceId) => workspaceId === 'a').length).toBe(4)
  await eventually(async () => {
    for (const resolve of held.splice(0)) resolve()
    return (await deletions.ofRegulation('a', 'a')).every(({ status }) => status === 'complete')
  }).toBe(true)
  await deletions.stop(1_000)
})

it('an event of another workspace is stored while a thousand deletions are begun and ended', async () => {
  const clock = createManualClock(1_000)
  const store = await openSqliteStore({ path: ':memory:', clock, random: createSeededRandom(1) })
  const { deletions } = store.regulations
  const target = { workspaceId: 'a', destinationId: 'd' }
  await store.regulations.add(
    [regulationOf('a')],
    Array.from({ length: 1_000 }, (_, n) => jobOf('a', 'd', n)),
  )
  const storedBeside = async (work: Promise<unknown>): Promise<readonly string[]> => {
    const order: string[] = []
    const events = [{ type: 'track', event: 'E', userId: 'u', messageId: 'm' }]
    const batch = { workspaceId: 'b', sourceId: 's', writeKey: 'k', receivedAt: 0, destinationIds: [], events }
    await Promise.all([
      work.then(() => order.push('the deletions')),
      store.log.append(batch, []).then(() => order.push('the event')),
    ])
    return order
  }
  const begin = deletions.begin(target, clock.now(), 1_000)
  expect(await storedBeside(begin)).toEqual(['the event', 'the deletions'])
  const jobs = await begin
  expect(jobs).toHaveLength(1_000)
  const ended = jobs.map(({ id }) => ({ id, status: 'complete', attempts: 1, dueAt: 0, updatedAt: 1 }) as const)
  expect(await storedBeside(deletions.end('a', ended))).toEqual(['the event', 'the deletions'])
  expect((await deletions.ofRegulation('a', 'a')).filter(({ status }) => status === 'complete')).toHaveLength(1_000)
  await store.close()
})
