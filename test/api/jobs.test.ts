import { createSeededRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import type { DeadLetterStore } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { type ApiBody, type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

let sluice: Sluice
let api: ApiClient
let isRefusing = true
/** Replays in the store wait for it. */
let gate: Promise<void>
const sent = createRecordingTransport(() => reply(isRefusing ? 422 : 200))

beforeEach(async () => {
  isRefusing = true
  gate = Promise.resolve()
  const clock = createHastyClock()
  const random = createSeededRandom(7)
  const memory = createMemoryStore({ clock, random })
  const replay: DeadLetterStore['replay'] = async (...letters) => {
    await gate
    return memory.deadLetters.replay(...letters)
  }
  sluice = await createSluice({
    workspace: {
      workspaces: [
        shop('http://hook.test/', {
          accessTokens: [
            { name: 'operate', token: hashOf('operate'), scopes: ['operate'] },
            { name: 'read', token: hashOf('read'), scopes: ['read'] },
          ],
        }),
        {
          ...shop('http://hook.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
          id: 'neighbour',
          accessTokens: [{ name: 'neighbour', token: hashOf('neighbour') }],
        },
      ],
    },
    transport: sent,
    store: { ...memory, deadLetters: { ...memory.deadLetters, replay } },
    clock,
    random,
    sandbox: { mode: 'in-process' },
  })
  api = await createApiClient(sluice, 'Bearer operate')
})
afterEach(() => sluice.stop())

/** Makes so many events fail. */
async function fail(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    type: 'track',
    event: 'E',
    userId: `u${n}`,
    messageId: `m${n}`,
  }))
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
  await sluice.settled()
}
const start = async (body: object) => (await api.post('/v2/jobs/replays', body)).body.id
/** Waits for the end of a job. */
async function ended(id: string): Promise<ApiBody> {
  for (let look = 0; ; look += 1) {
    const { body } = await api.get(`/v2/jobs/${id}`)
    if (body['state'] !== 'running' || look > 10_000) return body
    await new Promise(setImmediate)
  }
}
const letters = async () => (await sluice.deadLetters.usage('shop')).letters

describe('a replay as a job', () => {
  it('sends all letters of a group again, and reports how many', async () => {
    await fail(450)
    isRefusing = false
    const [group] = (await api.get('/v2/dead-letters/groups')).body['groups'] as readonly Record<string, string>[]
    const { destinationId, code, reason } = group ?? {}
    const started = await api.post('/v2/jobs/replays', { destinationId, code, reason })
    expect([started.status, Object.keys(started.body)]).toEqual([202, ['id']])
    const { id } = started.body
    expect(await ended(id)).toEqual({
      id,
      state: 'done',
      total: 450,
      done: 450,
      failed: 0,
      startedAt: expect.any(String),
      endedAt: expect.any(String),
    })
    await sluice.settled()
    expect(await letters()).toBe(0)
  })

  it('can be stopped, and leaves the rest as it is', async () => {
    await fail(450)
    let open = (): void => {}
    gate = new Promise((resolve) => {
      open = resolve
    })
    const id = await start({ destinationId: 'hook' })
    expect((await api.get(`/v2/jobs/${id}`)).body).toMatchObject({ state: 'running', total: 450, done: 0 })
    expect((await api.delete(`/v2/jobs/${id}`)).status).toBe(204)
    open()
    expect(await ended(id)).toMatchObject({ state: 'stopped', total: 450, done: 200, failed: 0 })
    expect((await api.delete(`/v2/jobs/${id}`)).status, 'stopping twice is no error').toBe(204)
  })

  it('counts letters that are gone as failed, and those that match no filter not at all', async () => {
    await fail(1)
    const [{ id } = { id: '' }] = await sluice.deadLetters.list('shop', { limit: 1 })
    expect(await ended(await start({ ids: [id, 'gone'] }))).toMatchObject({ total: 2, done: 1, failed: 1 })
    expect(await ended(await start({ code: 'transform.threw' }))).toMatchObject({ state: 'done', total: 0 })
  })

  it('is listed, the newest first, and the oldest of more than a hundred are forgotten', async () => {
    const ids: string[] = []
    for (let n = 0; n < 101; n += 1) {
      ids.push(await start({ ids: ['gone'] }))
      await ended(ids.at(-1) ?? '')
    }
    const { data } = (await api.get('/v2/jobs')).body as unknown as { readonly data: readonly ApiBody[] }
    expect(data.map(({ id }) => id)).toEqual(ids.slice(1).reverse())
    expect(await api.get(`/v2/jobs/${ids[0]}`)).toMatchObject({ status: 404, body: { code: 'jobUnknown' } })
  })

  it('needs letters to be chosen', async () => {
    for (const body of [{}, { ids: ['a'], code: 'deliver.refused' }])
      expect(await api.post('/v2/jobs/replays', body)).toMatchObject({
        status: 400,
        body: { code: 'deadLettersUnchosen' },
      })
    expect((await api.post('/v2/jobs/replays', { ids: [] })).status).toBe(400)
  })

  it('is for the scope operate, and unknown to other workspaces', async () => {
    const id = await start({ ids: ['gone'] })
    for (const [token, status] of [
      ['read', 403],
      ['neighbour', 404],
      ['wrong', 401],
    ] as const) {
      const other = api.as(`Bearer ${token}`)
      expect([(await other.get(`/v2/jobs/${id}`)).status, (await other.delete(`/v2/jobs/${id}`)).status]).toEqual([
        status,
        status,
      ])
    }
    expect((await api.as('Bearer neighbour').get('/v2/jobs')).body['data']).toEqual([])
  })
})
