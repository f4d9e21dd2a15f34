import { createManualClock, createSeededRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const clock = createManualClock()
const random = createSeededRandom(7)
const stores: readonly (readonly [string, () => Store | Promise<Store>])[] = [
  ['memory', () => createMemoryStore({ clock, random })],
  ['SQLite', () => openSqliteStore({ path: ':memory:', clock, random })],
]

let sluice: Sluice
let api: ApiClient
afterEach(() => sluice.stop())

async function start(store: Store): Promise<void> {
  sluice = await createSluice({
    workspace: {
      workspaces: [
        shop('http://hook.test/', {
          destinations: ['hook', 'other'].map((id) => ({
            id,
            type: 'WEBHOOK',
            settings: { webhookUrl: `http://${id}.test/` },
          })),
          connections: ['hook', 'other'].map((destination) => ({ source: 'web', destination })),
          accessTokens: [
            { name: 'read', token: hashOf('read'), scopes: ['read'] },
            { name: 'write', token: hashOf('write'), scopes: ['write'] },
          ],
        }),
        {
          ...shop('http://hook.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
          id: 'neighbour',
          accessTokens: [{ name: 'neighbour', token: hashOf('neighbour') }],
        },
      ],
    },
    transport: createRecordingTransport(({ endpoint }) => reply(endpoint.includes('other') ? 422 : 200)),
    clock,
    random,
    store,
    sandbox: { mode: 'in-process' },
  })
  api = await createApiClient(sluice, 'Bearer read')
}
const send = async (...userIds: readonly string[]): Promise<void> => {
  const events = userIds.map((userId, n) => ({ type: 'track', event: 'E', userId, messageId: `${userId}-${n}` }))
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
  await sluice.settled()
}
const report = async (userId: string, as = api) => (await as.get(`/v2/users/${userId}/report`)).body

describe.each(stores)('the report of a user (%s)', (_, open) => {
  it('counts what is held, and what each destination got', async () => {
    await start(await open())
    await send('u1', 'u2', 'u1')
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u2' }] })
    expect(await report('u1')).toEqual({
      held: [
        { where: 'event log', count: 2 },
        { where: 'dead letters', count: 2 },
        { where: 'samples of the catalogue', count: 2 },
      ],
      destinations: [{ destinationId: 'hook', events: 2 }],
      regulations: [],
      notes: [expect.stringContaining('Receipts have no user'), expect.stringContaining('Frequent values')],
    })
    expect(await report('u2')).toMatchObject({
      held: expect.arrayContaining([{ where: 'event log', count: 1 }]),
      regulations: [{ regulationType: 'suppress', createdAt: expect.any(String) }],
    })
  })

  it('is empty for users who are unknown, deleted, or of another workspace', async () => {
    await start(await open())
    await send('u1')
    await sluice.regulations.create('shop', { regulationType: 'suppress_with_delete', users: [{ userId: 'u1' }] })
    const held = async (userId: string, as = api) => (await report(userId, as))['held']
    await eventually(() => held('u1')).toEqual([])
    await send('u3')
    expect([await held('unknown'), await held('%20'), await held('u3', api.as('Bearer neighbour'))]).toEqual([
      [],
      [],
      [],
    ])
  })

  it('needs the scope read', async () => {
    await start(await open())
    expect((await api.as('Bearer write').get('/v2/users/u1/report')).status).toBe(403)
    expect((await api.as('Bearer write').get('/v2/users?email=a')).status).toBe(403)
  })

  it('finds the users whose events have an e-mail, phone or anonymousId, however it is written', async () => {
    await start(await open())
    const events = [
      { type: 'identify', userId: ' u1', anonymousId: 'a1', traits: { email: 'Ann@X.test', phone: '+49 170 1' } },
      { type: 'track', event: 'E', userId: 'u1', anonymousId: 'a2', context: { traits: { email: ' ann@x.test ' } } },
      { type: 'track', event: 'E', anonymousId: 'a1', properties: { phone: 491701 } },
      { type: 'identify', userId: 'u2', anonymousId: 'a3', traits: { email: 'ann@x.test' } },
    ]
    for (const event of events) await sluice.ingest('web-key', [event])
    await sluice.settled()
    const found = async (query: string, as = api) => {
      const { body } = await as.get(`/v2/users?${query}`)
      return (body['data'] as readonly { userId?: string; anonymousIds: string[]; events: number }[])
        .map(({ userId, anonymousIds, events: count }) => [userId ?? '', [...anonymousIds].sort().join(), count])
        .sort()
    }
    const [u1, u2] = [
      ['u1', 'a1,a2', 2],
      ['u2', 'a3', 1],
    ]
    expect(await found('email=ANN%40x.test')).toEqual([u1, u2])
    expect(await found('phone=49-170/1')).toEqual([
      ['', 'a1', 1],
      ['u1', 'a1', 1],
    ])
    expect(await found('anonymousId=a3%20')).toEqual([u2])
    expect(await found('email=ann%40x.test&anonymousId=a3')).toEqual([u2])
    expect(await found('email=unknown%40x.test')).toEqual([])
    expect(await found('email=ann%40x.test', api.as('Bearer neighbour'))).toEqual([])
    expect((await api.get('/v2/users')).status).toBe(400)
  })
})

describe.each(stores)('finding a person by any identifier (%s)', (_, open) => {
  const find = async (identifier: string, as = api) => (await as.post('/v2/users/find', { identifier })).body
  const identify = async (userId: string | undefined, anonymousId: string, email: string): Promise<void> => {
    const event = { type: 'identify', userId, anonymousId, traits: { email }, messageId: `${userId}-${anonymousId}` }
    expect((await sluice.ingest('web-key', [event])).ok).toBe(true)
    await sluice.settled()
  }

  it('finds the ids by a userId, an anonymousId and an e-mail address, with counts', async () => {
    await start(await open())
    await identify('u1', 'a1', 'Ada@mail.test')
    await identify('u2', 'a2', 'bob@mail.test')
    const ada = {
      userKeys: [
        { kind: 'userId', id: 'u1' },
        { kind: 'anonymousId', id: 'a1' },
      ],
      held: expect.arrayContaining([{ where: 'event log', count: 1 }]),
      destinations: [{ destinationId: 'hook', events: 1 }],
      notes: expect.any(Array),
    }
    for (const identifier of ['u1', 'a1', 'ada@MAIL.test']) expect(await find(identifier)).toEqual(ada)
    expect(await find('u1', api.as('Bearer neighbour'))).toMatchObject({ userKeys: [], held: [] })
  })

  it('answers for suppressed people as for unknown ones, by whatever identifier, and for guests of theirs', async () => {
    await start(await open())
    await identify(undefined, 'a1', 'ada@mail.test')
    await identify('u1', 'a1', 'ada@mail.test')
    await identify('u2', 'a2', 'bob@mail.test')
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    const bytes = async (identifier: string) => {
      const { status, headers, body } = await api.post('/v2/users/find', { identifier })
      return {
        status,
        length: headers.get('content-length'),
        type: headers.get('content-type'),
        text: JSON.stringify(body),
      }
    }
    const unknown = await bytes('no one')
    expect(unknown).toMatchObject({ status: 200, text: expect.stringContaining('"userKeys":[]') })
    for (const identifier of ['u1', 'a1', 'ada@mail.test']) expect(await bytes(identifier)).toEqual(unknown)
    expect(await find('u2')).toMatchObject({
      userKeys: [
        { kind: 'userId', id: 'u2' },
        { kind: 'anonymousId', id: 'a2' },
      ],
    })
  })

  it('answers alike where not all was looked through, and where the workspace has no source any more', async () => {
    await start(await open())
    const others = Array.from({ length: 2_000 }, (_, n) => ({ type: 'track', event: 'E', userId: `other-${n}` }))
    for (let call = 0; call < 6; call += 1) expect((await sluice.ingest('web-key', others)).ok).toBe(true)
    await sluice.settled()
    await identify('u1', 'a1', 'ada@mail.test')
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    const alike = async () => {
      const unknown = await find('no one')
      expect(unknown).toMatchObject({ userKeys: [], held: [] })
      for (const identifier of ['u1', 'a1', 'ada@mail.test']) expect(await find(identifier)).toEqual(unknown)
      return unknown
    }
    expect(JSON.stringify(await alike())).toContain('Not all of this was looked through')
    const accessTokens = [{ name: 'read', token: hashOf('read'), scopes: ['read'] as const }]
    await sluice.updateWorkspace(shop('http://hook.test/', { sources: [], connections: [], accessTokens }))
    await alike()
  })

  it('leaves the identifier out of the audit log and of refusals, and needs the scope read', async () => {
    await start(await open())
    const added = await sluice.configuration.createToken('shop', { name: 'boss', scopes: ['admin'] })
    const boss = api.as(`Bearer ${added.ok ? added.value.token : ''}`)
    await find('secret-id')
    expect((await api.post('/v2/users/report', { userId: 'secret-id' })).body).toEqual(await report('secret-id'))
    const refused = await api.post('/v2/users/find', { identifier: ['secret-id'] })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).not.toContain('secret-id')
    expect((await api.post('/v2/users/find', { identifier: '' })).status).toBe(400)
    expect((await api.as('Bearer write').post('/v2/users/find', { identifier: 'u1' })).status).toBe(403)
    const audit = JSON.stringify((await boss.get('/v2/audit')).body)
    expect(audit).toContain('/v2/users/find')
    expect(audit).not.toContain('secret-id')
  })
})
