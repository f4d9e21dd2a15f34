import { systemClock as clock, createSeededRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const code = "export function transformEvent(event) { return { ...event, note: 'for ' + event.userId } }"
const hook = (id: string) => ({ id, type: 'WEBHOOK' as const, settings: { webhookUrl: `http://${id}.test/in` } })
const secret = 'Bearer the-secret-of-the-hook'
const fine = {
  ...hook('fine'),
  settings: { ...hook('fine').settings, headers: [{ from: 'authorization', to: secret }] },
}
const tokens = { operate: ['operate'], read: ['read'], both: ['operate', 'write'] } as const
const theShop = shop('http://hook.test/', {
  destinations: [fine, { ...hook('refuses'), transformation: { code } }],
  sources: [{ id: 'web', writeKey: 'web-key', observe: { maskPaths: ['traits.name'] } }],
  connections: ['fine', 'refuses'].map((destination) => ({ source: 'web', destination })),
  accessTokens: Object.entries(tokens).map(([name, scopes]) => ({ name, token: hashOf(name), scopes: [...scopes] })),
})
const neighbour = {
  ...shop('http://fine.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour',
  accessTokens: [{ name: 'neighbour', token: hashOf('neighbour') }],
}

let sluice: Sluice
let store: Store
let api: ApiClient
beforeEach(async () => {
  const random = createSeededRandom(7)
  store = createMemoryStore({ clock, random })
  sluice = await createSluice({
    workspace: { workspaces: [theShop, neighbour] },
    transport: createRecordingTransport(({ endpoint }) => reply(endpoint.includes('refuses') ? 422 : 200)),
    clock,
    random,
    store,
    sandbox: { mode: 'in-process' },
  })
  api = await createApiClient(sluice, 'Bearer operate')
})
afterEach(() => sluice.stop())

async function send(messageId: string, traits: object = {}): Promise<void> {
  const event = { type: 'identify', userId: 'u1', messageId, traits: { email: 'ann@shop.test', ...traits } }
  expect((await sluice.ingest('web-key', [event])).ok).toBe(true)
  await sluice.settled()
}
const read = (messageId: string, query = '', as = api) => as.get(`/v1/events/${messageId}/payload${query}`)

describe('the last deliveries of a destination', () => {
  const deliveries = (query = '', id = 'fine', as = api) => as.get(`/v1/destinations/${id}/deliveries${query}`)

  it('are the requests that it accepted and its answers, the newest first, with personal data masked', async () => {
    await send('m1')
    await send('m2')
    const { body, text } = await deliveries()
    expect(body).toMatchObject({
      destinationId: 'fine',
      workspaceId: 'shop',
      masked: true,
      deliveries: [
        { messageId: 'm2' },
        {
          messageId: 'm1',
          sourceId: 'web',
          at: expect.stringMatching(/Z$/),
          status: 200,
          attempts: 1,
          request: { endpoint: 'http://fine.test/in', body: { JSON: { traits: { email: '[email]' } } } },
        },
      ],
    })
    expect(text).not.toContain('ann@')
    expect((await deliveries('', 'refuses')).body['deliveries']).toEqual([])
    expect(await deliveries('', 'none')).toMatchObject({ status: 404, body: { code: 'destinationMissing' } })
  })

  it('show personal data to tokens that may also write, which the audit log remembers', async () => {
    await send('m1')
    const path = '/v1/destinations/fine/deliveries'
    expect((await deliveries('?reveal=true', 'fine', api.as('Bearer both'))).text).toContain('ann@shop.test')
    expect((await deliveries('?reveal=true')).status).toBe(403)
    expect(await store.audit.list('shop', 10)).toMatchObject([
      { token: 'operate', method: 'GET', path, status: 403 },
      { token: 'both', method: 'GET', path, status: 200 },
    ])
    expect((await deliveries('', 'fine', api.as('Bearer read'))).status).toBe(403)
    expect((await deliveries('', 'fine', api.as('Bearer neighbour'))).status).toBe(404)
  })

  it('leave out users who are suppressed by now', async () => {
    await send('m1')
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect((await deliveries()).body['deliveries']).toEqual([])
  })

  it('have no secret of the settings', async () => {
    await send('m1')
    const { text } = await deliveries('?reveal=true', 'fine', api.as('Bearer both'))
    expect(text).toContain('"authorization"')
    expect(text).not.toContain(secret)
  })
})

describe('the payload of an event', () => {
  it('has the event, and what a destination made of it where it failed, with personal data masked', async () => {
    await send('m1')
    expect((await read('m1')).body).toEqual({
      messageId: 'm1',
      workspaceId: 'shop',
      sourceId: 'web',
      acceptedAt: expect.stringMatching(/Z$/),
      masked: true,
      event: expect.objectContaining({ messageId: 'm1', userId: 'u1', traits: { email: '[email]' } }),
      destinations: [
        {
          destinationId: 'fine',
          state: 'delivered',
          request: expect.objectContaining({
            endpoint: 'http://fine.test/in',
            body: expect.objectContaining({ JSON: expect.objectContaining({ traits: { email: '[email]' } }) }),
          }),
          reply: '',
        },
        {
          destinationId: 'refuses',
          state: 'failed',
          outputs: [expect.objectContaining({ note: 'for u1', traits: { email: '[email]' } })],
          request: expect.objectContaining({ endpoint: 'http://refuses.test/in' }),
          reply: '',
        },
      ],
    })
    expect((await read('m1')).text).not.toContain('ann@')
  })

  it('hides whole what may repeat a value that the source masks', async () => {
    await send('m1', { name: 'Ann Smith' })
    const { body, text } = await read('m1')
    expect(text).not.toContain('Ann Smith')
    expect(body['destinations']).toMatchObject([
      { destinationId: 'fine', request: '[masked]', reply: '[masked]' },
      { destinationId: 'refuses', outputs: '[masked]', request: '[masked]' },
    ])
  })

  it('is revealed to tokens that may also write, which the audit log remembers, also when it is refused', async () => {
    await send('m1', { name: 'Ann Smith' })
    await read('m1')
    expect(await store.audit.list('shop', 10)).toEqual([])
    const revealed = await read('m1', '?reveal=true', api.as('Bearer both'))
    expect(revealed.body).toMatchObject({
      masked: false,
      event: { traits: { name: 'Ann Smith', email: 'ann@shop.test' } },
    })
    expect(revealed.body['destinations']).toMatchObject([
      { state: 'delivered', request: { body: { JSON: { traits: { name: 'Ann Smith' } } } } },
      { outputs: [{ note: 'for u1', traits: { name: 'Ann Smith' } }] },
    ])
    expect(await read('m1', '?reveal=true')).toMatchObject({ status: 403, body: { code: 'scopeMissing' } })
    const path = '/v1/events/m1/payload'
    expect(await store.audit.list('shop', 10)).toMatchObject([
      { token: 'operate', method: 'GET', path, status: 403 },
      { token: 'both', method: 'GET', path, status: 200 },
    ])
    expect((await read('m1', '', api.as('Bearer read'))).status).toBe(403)
  })

  it('of a user who is suppressed by now looks like that of an event never seen, revealed or not', async () => {
    await send('m1')
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    for (const query of ['', '?reveal=true']) {
      const [gone, never] = await Promise.all(
        ['m1', 'never'].map((messageId) => read(messageId, query, api.as('Bearer both'))),
      )
      expect([gone?.status, gone?.text]).toEqual([404, never?.text])
      expect([...(gone?.headers ?? [])]).toEqual([...(never?.headers ?? [])])
    }
  })

  it('belongs to the workspace of the token', async () => {
    await send('m1')
    expect(await read('m1', '', api.as('Bearer neighbour'))).toMatchObject({
      status: 404,
      body: { code: 'eventUnknown' },
    })
  })
})

describe('recorded events', () => {
  const recorded = (query = '', as = api) => as.get(`/v2/recorded-events${query}`)
  const idsOf = ({ body }: Awaited<ReturnType<typeof recorded>>) =>
    (body['data'] as unknown as { event: { messageId: string } }[]).map(({ event }) => event.messageId)

  it('are the newest of the log, first, with personal data masked as in payloads', async () => {
    await send('m1', { name: 'Ann' })
    await send('m2')
    const answered = await recorded()
    expect(answered.body).toMatchObject({
      isCut: false,
      data: [{}, { sourceId: 'web', acceptedAt: expect.stringMatching(/Z$/) }],
    })
    expect(idsOf(answered)).toEqual(['m2', 'm1'])
    expect(answered.text).not.toMatch(/ann@|Ann/)
    const [, { event } = { event: {} }] = answered.body['data'] as unknown as { event: object }[]
    expect(event).toEqual((await read('m1')).body['event'])
  })

  it('are filtered by destination and name, up to a limit', async () => {
    await send('m1')
    const events = ['a', 'b'].map((messageId) => ({ type: 'track', event: 'Seen', userId: 'u1', messageId }))
    expect((await sluice.ingest('web-key', events)).ok).toBe(true)
    await sluice.settled()
    expect(idsOf(await recorded('?event=Seen'))).toEqual(['b', 'a'])
    expect(idsOf(await recorded('?destinationId=fine&limit=1'))).toEqual(['b'])
    expect((await recorded('?limit=1')).body['isCut']).toBe(true)
    expect(await recorded('?destinationId=none')).toMatchObject({ status: 404, body: { code: 'destinationMissing' } })
    for (const query of ['?limit=0', '?limit=501', '?reveal=true'])
      expect((await recorded(query)).status).toBe(query === '?reveal=true' ? 200 : 400)
    expect((await recorded('?reveal=true')).text).not.toContain('ann@')
  })

  it('come in pages, each event once, whatever the size of a page, and are filtered by source and time', async () => {
    await send('m0')
    const events = ['a', 'b', 'c'].map((messageId) => ({ type: 'track', event: 'Seen', userId: 'u1', messageId }))
    expect((await sluice.ingest('web-key', events)).ok).toBe(true)
    await send('m1')
    for (const limit of [1, 2, 3, 4, 5, 100]) {
      const ids: string[] = []
      let next: unknown
      do {
        const page = await recorded(`?limit=${limit}${next === undefined ? '' : `&after=${next}`}`)
        ids.push(...idsOf(page))
        next = page.body['next']
      } while (next !== undefined)
      expect([limit, ids]).toEqual([limit, ['m1', 'c', 'b', 'a', 'm0']])
    }
    const later = new Date(clock.now() + 60_000).toISOString()
    expect(idsOf(await recorded(`?from=${later}`))).toEqual([])
    expect(idsOf(await recorded(`?sourceId=web&to=${later}`))).toHaveLength(5)
    expect(await recorded('?sourceId=none')).toMatchObject({ status: 404, body: { code: 'sourceMissing' } })
    for (const cursor of ['first', '-1', '1.', '1.2.3'])
      expect((await recorded(`?after=${cursor}`)).body['code']).toBe('recordedCursorInvalid')
  })

  it('leave out suppressed users and other workspaces, and need the scope operate', async () => {
    await send('m1')
    expect((await recorded('', api.as('Bearer neighbour'))).body['data']).toEqual([])
    expect((await recorded('', api.as('Bearer read'))).status).toBe(403)
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect((await recorded()).body).toEqual({ data: [], isCut: false })
  })
})
