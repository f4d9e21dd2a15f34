import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import type { DestinationHealth, Store } from '@sluice/pipeline'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import type { Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { type ApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const hook = (id: string) => ({ id, type: 'WEBHOOK' as const, settings: { webhookUrl: `http://${id}.test/in` } })
const theShop = shop('http://hook.test/', {
  destinations: [hook('hook'), hook('other'), { ...hook('off'), enabled: false }],
  connections: ['hook', 'other', 'off'].map((destination) => ({ source: 'web', destination })),
  accessTokens: [
    { name: 'all', token: hashOf('all') },
    { name: 'write', token: hashOf('write'), scopes: ['read', 'write'] },
  ],
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const serve = serveWorkspaces({ workspace: theShop })
let sluice: Sluice
let api: ApiClient
let status = 200
/** Message ids that arrived, by host. */
let arrived: Map<string, string[]>

async function start(store?: Store, clock = createHastyClock()): Promise<void> {
  arrived = new Map()
  status = 200
  const random = createSeededRandom(7)
  const served = await serve({
    answer: ({ endpoint, body }) => {
      const { host } = new URL(endpoint)
      if (host === 'hook.test' && status !== 200) return reply(status)
      arrived.set(host, [...(arrived.get(host) ?? []), String(Object(body)['JSON']['messageId'])])
      return reply(200)
    },
    clock,
    random,
    store: store ?? createMemoryStore({ clock, random }),
  })
  sluice = served.sluice
  api = await served.api('Bearer all')
}
const send = async (...ids: readonly string[]): Promise<void> => {
  const events = ids.map((messageId) => ({ type: 'track', event: 'E', userId: 'u1', messageId }))
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
}
const pause = (id = 'hook') => api.post(`/v2/destinations/${id}/pause`)
const resume = (id = 'hook') => api.post(`/v2/destinations/${id}/resume`)
const statsOf = async (id: string) =>
  (await sluice.stats()).flatMap(({ destinations }) => destinations).find(({ destinationId }) => destinationId === id)
const until = (id: string, outcome: 'delivered' | 'pending', count: number) =>
  eventually(async () => (await statsOf(id))?.[outcome]).toBe(count)
const circuits = async () => {
  const { body } = await api.get('/v1/circuits')
  const [{ destinations }] = body['workspaces'] as [{ destinations: readonly DestinationHealth[] }]
  return destinations.map(({ health, waiting, oldestAt, endedLately, failedLately, ...circuit }) => circuit)
}

describe('a paused destination', () => {
  it('gets nothing while others get all, and then everything in order, also one of the workspace file', async () => {
    await start()
    await send('m1')
    await sluice.settled()
    const answers = [await pause(), await pause()]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { destinationId: 'hook', pausedAt: expect.any(String) } })
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    await send('m2', 'm3')
    await send('m4')
    await until('other', 'delivered', 4)
    expect(await statsOf('hook')).toMatchObject({ accepted: 4, delivered: 1, pending: 3 })
    expect(arrived.get('hook.test')).toEqual(['m1'])
    expect((await resume()).body).toEqual({ destinationId: 'hook' })
    await sluice.settled()
    expect(arrived.get('hook.test')).toEqual(['m1', 'm2', 'm3', 'm4'])
    expect((await resume()).body).toEqual({ destinationId: 'hook' })
  })

  it('stays paused after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-pause-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const open = () =>
      openSqliteStore({ path: join(folder, 'store.db'), clock: createHastyClock(), random: createSeededRandom(7) })
    await start(await open())
    const { body } = await pause()
    await send('m1')
    await sluice.stop()
    await start(await open())
    expect(await circuits()).toEqual([
      { destinationId: 'hook', state: 'paused', pausedAt: body['pausedAt'] },
      { destinationId: 'other', state: 'closed' },
    ])
    await send('m2')
    await until('other', 'delivered', 2)
    expect(arrived.get('hook.test')).toBeUndefined()
    await resume()
    await sluice.settled()
    expect(arrived.get('hook.test')).toEqual(['m1', 'm2'])
  })

  it('is not tried again for events that failed before, and its deliveries under way hand their events back', async () => {
    const clock: ManualClock = createManualClock()
    await start(undefined, clock)
    status = 503
    await send('m1', 'm2')
    await eventually(circuits).toMatchObject([{ state: 'closed', failingSince: expect.any(String) }, {}])
    await pause()
    await eventually(async () => (await sluice.trace('m1'))?.destinations[0]?.outcome).toBe('waiting')
    status = 200
    for (let hours = 0; hours < 5; hours += 1) {
      clock.advance(3_600_000)
      await new Promise(setImmediate)
    }
    expect(await statsOf('hook')).toMatchObject({ pending: 2, delivered: 0 })
    await resume()
    await sluice.settled()
    expect(arrived.get('hook.test')).toEqual(['m1', 'm2'])
  })

  it('does not get events of users who were suppressed meanwhile', async () => {
    await start()
    await pause()
    await send('m1')
    await until('other', 'delivered', 1)
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    await resume()
    await sluice.settled()
    expect(arrived.get('hook.test')).toBeUndefined()
  })

  it('fails the events of process(), which cannot wait', async () => {
    await start()
    await pause()
    const result = await sluice.process('web-key', [{ type: 'track', event: 'E', userId: 'u1' }])
    expect(result.ok && result.events[0]?.destinations).toMatchObject([
      { destinationId: 'hook', outcome: 'failed', code: 'deliver.unavailable' },
      { destinationId: 'other', outcome: 'delivered' },
      { destinationId: 'off', outcome: 'dropped' },
    ])
  })

  it('is forgotten when the destination is deleted', async () => {
    await start()
    const body = { id: 'own', type: 'WEBHOOK', config: { webhookUrl: 'http://own.test/' } }
    await api.post('/v2/destinations', body)
    await pause('own')
    expect(await circuits()).toContainEqual(expect.objectContaining({ destinationId: 'own', state: 'paused' }))
    await api.delete('/v2/destinations/own')
    await api.post('/v2/destinations', body)
    expect(await circuits()).toContainEqual({ destinationId: 'own', state: 'closed' })
  })

  it('needs the scope operate, and a destination of the workspace', async () => {
    await start()
    for (const action of ['pause', 'resume']) {
      expect((await api.as('Bearer write').post(`/v2/destinations/hook/${action}`)).status).toBe(403)
      expect(await api.post(`/v2/destinations/none/${action}`)).toMatchObject({
        status: 404,
        body: { code: 'destinationMissing' },
      })
    }
  })

  it('never loses, repeats or reorders an event of a user, whenever it is paused and resumed', async () => {
    const moves = fc.array(fc.constantFrom('send' as const, 'pause' as const, 'resume' as const, 'wait' as const), {
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        await start()
        const sent: string[] = []
        for (const [n, move] of all.entries()) {
          if (move === 'pause') await pause()
          else if (move === 'resume') await resume()
          else if (move === 'wait') await new Promise(setImmediate)
          else {
            const ids = Array.from({ length: 1 + (n % 3) }, (_, i) => `m${n}-${i}`)
            sent.push(...ids)
            await send(...ids)
          }
        }
        await resume()
        await sluice.settled()
        expect(arrived.get('hook.test') ?? []).toEqual(sent)
        await sluice.stop()
      }),
      { numRuns: 15 },
    )
  })
})

describe('GET /v1/circuits', () => {
  it('shows an open circuit with the time of the next try', async () => {
    const clock = createManualClock()
    await start(undefined, clock)
    status = 503
    const at = new Date(clock.now()).toISOString()
    const users = Array.from({ length: 6 }, (_, n) => ({ type: 'track', event: 'E', userId: `u${n}` }))
    await sluice.ingest('web-key', users)
    await eventually(circuits).toEqual([
      { destinationId: 'hook', state: 'open', failingSince: at, nextTryAt: expect.any(String) },
      { destinationId: 'other', state: 'closed' },
    ])
  })
})
