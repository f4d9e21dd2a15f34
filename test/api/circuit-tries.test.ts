import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import type { DestinationHealth } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const hook = (id: string) => ({ id, type: 'WEBHOOK' as const, settings: { webhookUrl: `http://${id}.test/in` } })
const theShop = shop('http://hook.test/', {
  destinations: [{ ...hook('hook'), name: 'Shop hook' }, hook('other'), { ...hook('off'), enabled: false }],
  connections: ['hook', 'other', 'off'].map((destination) => ({ source: 'web', destination })),
  accessTokens: [
    { name: 'all', token: hashOf('all') },
    { name: 'write', token: hashOf('write'), scopes: ['read', 'write'] },
  ],
})
const neighbour = {
  ...shop('http://neighbour.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour',
  accessTokens: [{ name: 'neighbour', token: hashOf('neighbour') }],
}

const hourMs = 3_600_000
const serve = serveWorkspaces({
  workspace: { workspaces: [theShop, neighbour] },
  delivery: { circuit: { firstMs: hourMs, lastMs: hourMs } },
})
let sluice: Sluice
let api: ApiClient
let clock: ManualClock
let status: number
/** Requests that reached the destination while it fails and since. */
let requests: number

beforeEach(async () => {
  status = 503
  requests = 0
  clock = createManualClock()
  const random = createSeededRandom(7)
  const served = await serve({
    answer: ({ endpoint }) => {
      if (new URL(endpoint).host !== 'hook.test') return reply(200)
      requests += 1
      return reply(status)
    },
    clock,
    random,
    store: createMemoryStore({ clock, random }),
  })
  sluice = served.sluice
  api = await served.api('Bearer all')
})

const tryNow = (id = 'hook', as = api) => as.post(`/v1/circuits/${id}/try`)
const circuit = async (): Promise<DestinationHealth | undefined> => {
  const { body } = await api.get('/v1/circuits')
  const [{ destinations }] = body['workspaces'] as [{ destinations: readonly DestinationHealth[] }]
  return destinations.find(({ destinationId }) => destinationId === 'hook')
}
async function openCircuit(): Promise<void> {
  const events = Array.from({ length: 6 }, (_, n) => ({ type: 'track', event: 'E', userId: `u${n}` }))
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
  await eventually(circuit).toMatchObject({ state: 'open' })
  // What is under way ends, and waits. No probe goes within this time.
  for (let minutes = 0; minutes < 10; minutes += 1) {
    clock.advance(60_000)
    await new Promise(setImmediate)
  }
}

describe('POST /v1/circuits/{destinationId}/try', () => {
  it('lets one event go at once, which closes the circuit when the destination takes it', async () => {
    await openCircuit()
    const before = requests
    status = 200
    const answer = await tryNow()
    expect(answer).toMatchObject({
      status: 200,
      body: {
        destinationId: 'hook',
        state: 'open',
        failingSince: expect.any(String),
        nextTryAt: new Date(clock.now()).toISOString(),
      },
    })
    // No time passes: nothing else would send.
    await eventually(circuit).toMatchObject({ state: 'closed' })
    expect(requests).toBeGreaterThan(before)
    expect(await circuit()).not.toHaveProperty('failingSince')
  })

  it('sends one request, and leaves the circuit open, when the destination still fails', async () => {
    await openCircuit()
    const before = requests
    await tryNow()
    await eventually(async () => requests).toBe(before + 1)
    await new Promise(setImmediate)
    expect(await circuit()).toMatchObject({ state: 'open' })
    expect(requests).toBe(before + 1)
  })

  it('is among the changes, with the name of the destination', async () => {
    await openCircuit()
    await tryNow()
    const { data } = (await api.get('/v2/changes?kind=tried')).body as unknown as { data: { text: string }[] }
    expect(data.map(({ text }) => text)).toEqual(['tried destination Shop hook before its time'])
  })

  it('is refused where no circuit is open: closed, paused or disabled', async () => {
    for (const [id, why] of [
      ['other', 'its circuit is closed'],
      ['off', 'is disabled'],
    ] as const)
      expect(await tryNow(id)).toMatchObject({
        status: 409,
        body: { code: 'circuitNotOpen', message: expect.stringContaining(why) },
      })
    await openCircuit()
    await api.post('/v2/destinations/hook/pause')
    expect(await tryNow()).toMatchObject({ status: 409, body: { message: expect.stringContaining('is paused') } })
    const changes = (await api.get('/v2/changes?kind=tried')).body as unknown as { data: unknown[] }
    expect(changes.data).toEqual([])
  })

  it('needs the scope operate, and a destination of the workspace', async () => {
    await openCircuit()
    expect((await tryNow('hook', api.as('Bearer write'))).status).toBe(403)
    for (const [id, as] of [
      ['none', api],
      ['other', api.as('Bearer neighbour')],
    ] as const)
      expect(await tryNow(id, as)).toMatchObject({ status: 404, body: { code: 'destinationMissing' } })
  })
})
