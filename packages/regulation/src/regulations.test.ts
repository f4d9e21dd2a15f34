import { createManualClock, createSeededRandom } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { DeletionJob } from './deletion/deletion-job.ts'
import type { Regulation } from './regulation.ts'
import type { RegulationStore } from './regulation-store.ts'
import { createRegulations } from './regulations.ts'
import { type SuppressionIndex, SuppressionUnavailableError } from './suppression/suppression-index.ts'

const startMs = Date.UTC(2026, 0, 1)

function scene({ deletionsPerHour = 10 } = {}) {
  const clock = createManualClock(startMs)
  const regulations: Regulation[] = []
  const jobs: DeletionJob[] = []
  const did: string[] = []
  const state = { isStoreDown: false, isIndexDown: false }
  const store: Pick<RegulationStore, 'add' | 'cancel' | 'find' | 'list'> = {
    add: async (added, addedJobs = [], limit) => {
      if (state.isStoreDown) throw new Error('the disk is full')
      const counted = jobs.filter((job) => job.workspaceId === limit?.workspaceId && job.id >= limit.fromId)
      if (limit && counted.length + addedJobs.length > limit.max) return false
      did.push('stored')
      regulations.push(...added)
      jobs.push(...addedJobs)
      return true
    },
    cancel: async (workspaceId, id) => regulations.find((each) => each.workspaceId === workspaceId && each.id === id),
    find: async (workspaceId, id) => regulations.find((each) => each.workspaceId === workspaceId && each.id === id),
    list: async (_, { userId }) => ({
      regulations: regulations.filter(({ attributes }) => userId === undefined || attributes.userId === userId),
    }),
  }
  const index: SuppressionIndex = {
    hasFurtherKeys: false,
    mayMatch: () => false,
    check: async () => [],
    catchUp: async () => {
      did.push('in force')
      if (state.isIndexDown) throw new SuppressionUnavailableError('not now')
    },
    isReady: true,
    position: 0,
    size: 0,
    reload: async () => {},
    idle: async () => {},
    close: async () => {},
  }
  const service = createRegulations({
    store: store as RegulationStore,
    index,
    clock,
    random: createSeededRandom(1),
    deletionsPerHour,
    onDeletions: () => did.push('jobs'),
    workspace: () => ({
      sourceIds: new Set(['web']),
      destinations: new Map(['crm', 'mail'].map((id) => [id, { isStorage: false }])),
    }),
  })
  return { service, clock, regulations, jobs, did, state }
}
const users = (...ids: readonly string[]) => ids.map((userId) => ({ userId }))

describe('creating regulations', () => {
  it('makes one for each user, in force when the promise resolves', async () => {
    const { service, did, jobs } = scene()
    const request = { regulationType: 'suppress', sourceIds: ['web'], users: users('u1', 'u2') } as const
    const created = await service.create('w', request)
    const rest = { canceled: false, regulationType: 'suppress', sourceIds: ['web'], destinationIds: [] }
    expect(created).toMatchObject([
      { ...rest, attributes: { userId: 'u1' }, workspaceId: 'w', createdAt: '2026-01-01T00:00:00.000Z' },
      { ...rest, attributes: { userId: 'u2' } },
    ])
    expect(new Set(created.map(({ id }) => id)).size).toBe(2)
    expect([did, jobs]).toEqual([['stored', 'in force'], []])
  })

  it('adds a deletion for Sluice itself and each destination when none is named', async () => {
    const { service, jobs, did } = scene()
    const [created] = await service.create('w', { regulationType: 'suppress_with_delete', users: users('u1') })
    expect(jobs.map(({ destinationId }) => destinationId)).toEqual(['', 'crm', 'mail'])
    expect(jobs[1]).toMatchObject({ regulationId: created?.id, status: 'pending', attempts: 0, dueAt: startMs })
    expect(did).toEqual(['stored', 'in force', 'jobs'])
  })

  it('adds a deletion for each named destination, once', async () => {
    const { service, jobs } = scene()
    const destinationIds = ['mail', 'mail']
    await service.create('w', { regulationType: 'suppress_with_delete', destinationIds, users: users('u1') })
    expect(jobs.map(({ destinationId }) => destinationId)).toEqual(['', 'mail'])
  })

  it('stores nothing of a request with an invalid part', async () => {
    const { service, did } = scene()
    await expect(service.create('w', { regulationType: 'suppress', users: users('u1', '') })).rejects.toMatchObject({
      code: 'usersInvalid',
    })
    expect(did).toEqual([])
  })

  it('refuses more deletions than an hour allows, and takes them in the next hour', async () => {
    const { service, clock, regulations } = scene({ deletionsPerHour: 5 })
    const request = { regulationType: 'suppress_with_delete', users: users('u1') } as const
    await service.create('w', request)
    await expect(service.create('w', request)).rejects.toMatchObject({
      code: 'deletionsTooMany',
      message: expect.stringMatching(/^3 deletions .* the 5 allowed per hour/),
    })
    expect(regulations).toHaveLength(1)
    await service.create('other', request)
    clock.advance(3_600_000)
    await service.create('w', request)
    expect(regulations).toHaveLength(3)
  })

  it('asks the store once a second whether an hour allows as much, or more, as it has just refused', async () => {
    const { service, state, clock } = scene({ deletionsPerHour: 5 })
    const order = (...ids: string[]) =>
      service.create('w', { regulationType: 'suppress_with_delete', users: users(...ids) })
    const tooMany = { code: 'deletionsTooMany' }
    await order('u1')
    await expect(order('u1')).rejects.toMatchObject(tooMany)
    state.isStoreDown = true
    await expect(order('u1')).rejects.toMatchObject(tooMany)
    clock.advance(1_000)
    await expect(order('u1')).rejects.toThrow('the disk is full')
  })

  it('refuses what no hour allows without asking the store', async () => {
    const { service, state } = scene({ deletionsPerHour: 5 })
    state.isStoreDown = true
    const request = { regulationType: 'suppress_with_delete', users: users('u1', 'u2') } as const
    await expect(service.create('w', request)).rejects.toMatchObject({
      code: 'deletionsTooMany',
      message: expect.stringMatching(/^6 deletions/),
    })
  })

  it('counts nothing towards the limit when the store fails', async () => {
    const { service, state } = scene({ deletionsPerHour: 3 })
    const request = { regulationType: 'suppress_with_delete', users: users('u1') } as const
    state.isStoreDown = true
    await expect(service.create('w', request)).rejects.toThrow('the disk is full')
    state.isStoreDown = false
    expect(await service.create('w', request)).toHaveLength(1)
  })

  it('reports that regulations are stored but not yet in force', async () => {
    const { service, state, regulations } = scene()
    state.isIndexDown = true
    const creating = service.create('w', { regulationType: 'suppress', users: users('u1') })
    await expect(creating).rejects.toThrow(SuppressionUnavailableError)
    expect(regulations).toHaveLength(1)
  })
})

describe('cancelling a regulation', () => {
  it('updates the index before it resolves, also when repeated', async () => {
    const { service, did } = scene()
    const [created] = await service.create('w', { regulationType: 'suppress', users: users('u1') })
    did.length = 0
    const id = created?.id ?? ''
    expect([await service.cancel('w', id), await service.cancel('w', id)]).toEqual([true, true])
    expect(did).toEqual(['in force', 'in force'])
  })

  it('finds none of another workspace', async () => {
    const { service } = scene()
    const [created] = await service.create('w', { regulationType: 'suppress', users: users('u1') })
    expect(await service.cancel('other', created?.id ?? '')).toBe(false)
    expect(await service.find('other', created?.id ?? '')).toBeUndefined()
  })
})

it('lists the regulations of a user by cleaned text', async () => {
  const { service } = scene()
  await service.create('w', { regulationType: 'suppress', users: users('u1', 'u2') })
  const { regulations } = await service.list('w', { userId: ' u\u200b2 ', limit: 10 })
  expect(regulations.map(({ attributes }) => attributes.userId)).toEqual(['u2'])
  expect((await service.list('w', { limit: 10 })).regulations).toHaveLength(2)
})
