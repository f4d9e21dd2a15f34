import { createManualClock, type ManualClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import type { OutcomesAnswer } from '@sluice/http'
import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, basic, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const dayMs = 86_400_000
const tokens = ['operate', 'read'] as const
const hook = { type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/in' } } as const
const theShop = shop('http://hook.test/in', {
  accessTokens: tokens.map((scope) => ({ name: scope, token: hashOf(scope), scopes: [scope] })),
  destinations: [
    { id: 'hook', ...hook },
    { id: 'late', ...hook },
    { id: 'off', ...hook, enabled: false },
  ],
  connections: ['hook', 'off'].map((destination) => ({ source: 'web', destination })),
})
const neighbour = {
  ...shop('http://n.test/', {
    sources: [{ id: 'app', writeKey: 'n-key' }],
    connections: [{ source: 'app', destination: 'hook' }],
  }),
  id: 'neighbour',
}

let clock: ManualClock
let sluice: Sluice
let api: ApiClient
let status: number

const serve = serveWorkspaces({
  workspace: { workspaces: [theShop, neighbour] },
  answer: () => reply(status),
  admin: { user: 'admin', password: 'password' },
})
beforeEach(async () => {
  clock = createManualClock()
  status = 200
  const served = await serve({ clock })
  sluice = served.sluice
  api = await served.api('Bearer operate')
})

async function send(event: string, count = 1, userId = 'u1'): Promise<void> {
  const events = Array.from({ length: count }, () => ({ type: 'track', event, userId }))
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
  await sluice.settled()
}
const outcomes = async (query: string, as = api) =>
  (await as.get(`/v2/outcomes?source=web&${query}`)).body as unknown as OutcomesAnswer

describe('GET /v2/outcomes', () => {
  it('says for a name how many events did not reach each destination of the workspace, and why', async () => {
    await send('Bought', 3)
    status = 422
    await send('Bought', 2)
    await send('Seen')
    const answer = await outcomes('event=Bought')
    expect(answer).toMatchObject({ workspaceId: 'shop', type: 'track', event: 'Bought', accepted: 5, suppressed: 0 })
    expect(answer.names).toEqual([
      { type: 'track', event: 'Bought', accepted: 5 },
      { type: 'track', event: 'Seen', accepted: 1 },
    ])
    const shared = { accepted: 5, replayed: 0, waiting: 0 }
    expect(answer.destinations).toEqual([
      {
        ...shared,
        destinationId: 'hook',
        state: 'enabled',
        delivered: 3,
        notReached: [{ why: 'failed', code: 'deliver.refused', events: 2 }],
      },
      {
        ...shared,
        destinationId: 'late',
        state: 'enabled',
        delivered: 0,
        notReached: [{ why: 'notConnected', events: 5 }],
      },
      {
        ...shared,
        destinationId: 'off',
        state: 'disabled',
        delivered: 0,
        notReached: [{ why: 'disabled', events: 5 }],
      },
    ])
  })

  it('counts a replay as one more event, which ends once more', async () => {
    status = 422
    await send('Bought', 2)
    status = 200
    await sluice.deadLetters.replay('shop', { destinationId: 'hook' })
    await sluice.settled()
    expect((await outcomes('event=Bought&destination=hook')).destinations).toMatchObject([
      { accepted: 2, replayed: 2, delivered: 2, notReached: [{ why: 'failed', events: 2 }], waiting: 0 },
    ])
  })

  it('shows other types and other days apart, and all names together', async () => {
    await send('Bought')
    clock.advance(dayMs)
    await sluice.ingest('web-key', [{ type: 'page', userId: 'u1' }])
    await sluice.settled()
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    expect(await outcomes('type=page')).toMatchObject({ day: today, type: 'page', event: '', accepted: 1 })
    expect(await outcomes('')).toMatchObject({ accepted: 1, names: [{ type: 'page' }] })
    const before = new Date(clock.now() - dayMs).toISOString().slice(0, 10)
    expect(await outcomes(`day=${before}`)).toMatchObject({ day: before, accepted: 1, names: [{ event: 'Bought' }] })
  })

  it('counts suppressed events for the source only, under no name', async () => {
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'gone' }] })
    await send('Rare', 1, 'gone')
    await send('Bought')
    const answer = await outcomes('event=Rare')
    expect(answer).toMatchObject({ accepted: 0, suppressed: 1, names: [{ event: 'Bought' }] })
    expect(answer.destinations.flatMap(({ notReached }) => notReached)).toEqual([])
  })

  it('refuses what it cannot answer, and says why', async () => {
    const refusals = [
      ['', 400, 'queryInvalid', 'source'],
      ['source=gone', 404, 'sourceMissing', 'gone'],
      // Of another workspace.
      ['source=app', 404, 'sourceMissing', 'app'],
      ['source=web&destination=hok', 404, 'destinationMissing', 'hook'],
      ['source=web&day=yesterday', 400, 'queryInvalid', 'day'],
      ['source=web&day=1999-01-01', 400, 'rangeInvalid', 'are kept'],
      ['source=web&day=2999-01-01', 400, 'rangeInvalid', 'are kept'],
    ] as const
    for (const [query, want, code, text] of refusals) {
      const answer = await api.get(`/v2/outcomes?${query}`)
      expect([query, answer.status, answer.body['code']]).toEqual([query, want, code])
      expect(String(answer.body['message'])).toContain(text)
    }
  })

  it('is for tokens with the scope operate, and for admin credentials', async () => {
    const served = await serve({ clock })
    expect((await (await served.api('Bearer read')).get('/v2/outcomes?source=web')).status).toBe(403)
    const admin = await served.api(basic('admin', 'password'))
    expect((await admin.get('/v2/outcomes?source=app')).body).toMatchObject({ workspaceId: 'neighbour' })
  })
})
