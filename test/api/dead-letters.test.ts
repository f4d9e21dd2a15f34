import { createSeededRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { type ApiBody, type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const secret = 'pw-c0ffee'
const hook = (id: string) => ({
  id,
  type: 'WEBHOOK' as const,
  settings: { webhookUrl: `http://${id}.test/in`, headers: [{ from: 'x-team', to: secret }] },
})
const tokens = (...names: readonly string[]) => names.map((name) => ({ name, token: hashOf(name) }))
const theShop = shop('http://hook.test/', {
  destinations: [hook('hook'), hook('other')],
  sources: [{ id: 'web', writeKey: 'web-key', observe: { maskPaths: ['traits.name'] } }],
  connections: ['hook', 'other'].map((destination) => ({ source: 'web', destination })),
  accessTokens: [
    ...tokens('all'),
    ...(['read', 'write', 'operate'] as const).map((scope) => ({ name: scope, token: hashOf(scope), scopes: [scope] })),
  ],
})
const neighbour = {
  ...shop('http://neighbour.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour',
  accessTokens: tokens('neighbour'),
}

let sluice: Sluice
let store: Store
let api: ApiClient
let sent: ReturnType<typeof createRecordingTransport>
/** Hosts that refuse deliveries. */
let refusing: Set<string>

beforeEach(async () => {
  refusing = new Set(['hook.test', 'other.test', 'neighbour.test'])
  sent = createRecordingTransport(({ endpoint, headers }) => {
    if (!refusing.has(new URL(endpoint).host)) return reply(200)
    return reply(422, `key ${headers['x-team']} may not do that`)
  })
  const clock = createHastyClock()
  const random = createSeededRandom(7)
  store = createMemoryStore({ clock, random, deadLetterLimits: { lettersMax: 200 } })
  sluice = await createSluice({
    workspace: { workspaces: [theShop, neighbour] },
    transport: sent,
    clock,
    random,
    store,
    sandbox: { mode: 'in-process' },
  })
  api = await createApiClient(sluice, 'Bearer all')
})
afterEach(() => sluice.stop())

interface Letter extends ApiBody {
  readonly destinationId: string
  readonly messageId: string
}
interface Page {
  readonly data: readonly Letter[]
  readonly usage: Readonly<Record<string, number>>
  readonly paging: { readonly next?: string }
}
const page = async (path = '/v2/dead-letters', as = api) => (await as.get(path)).body as unknown as Page
const namesOf = ({ data }: Page) => data.map(({ messageId, destinationId }) => `${messageId} ${destinationId}`).sort()

/** Makes these events fail at both destinations of the shop. */
async function fail(...messageIds: readonly string[]): Promise<void> {
  const events = messageIds.map((messageId) => ({ type: 'track', event: 'E', userId: `u-${messageId}`, messageId }))
  expect((await sluice.ingest('web-key', events)).ok).toBe(true)
  await sluice.settled()
}

describe('listing dead letters', () => {
  it('returns none before something has failed', async () => {
    expect(await page()).toEqual({
      data: [],
      usage: { letters: 0, lettersMax: 200, bytes: 0, bytesMax: 1024 ** 3, share: 0 },
      paging: {},
    })
  })

  it('shows the event, where, when and why it failed, the request and the reply', async () => {
    await fail('m1')
    const { data } = await page('/v2/dead-letters?destinationId=hook')
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        destinationId: 'hook',
        sourceId: 'web',
        messageId: 'm1',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        stage: 'deliver',
        code: 'deliver.refused',
        reason: 'hook.test refused the request. It answered 422.',
        docs: '/docs/errors/deliver.refused',
        request: expect.objectContaining({ method: 'POST', endpoint: 'http://hook.test/in' }),
        reply: 'key •••••• may not do that',
        status: 422,
        attempts: 1,
        event: expect.objectContaining({ type: 'track', userId: 'u-m1', messageId: 'm1' }),
      },
    ])
  })

  it('never shows a secret of the settings', async () => {
    await fail('m1')
    const { text } = await api.get('/v2/dead-letters')
    const [{ id } = { id: '' }] = (await page()).data
    expect([text, (await api.get(`/v2/dead-letters/${id}`)).text].join()).not.toContain(secret)
    // The event does contain the secret.
    expect(JSON.stringify(sent.requests)).toContain(secret)
  })

  it('pages through all of them, and through those of one destination', async () => {
    await fail('m1', 'm2', 'm3')
    for (const [query, wanted] of [
      ['limit=2', 6],
      ['limit=6', 6],
      ['limit=1&destinationId=hook', 3],
    ] as const) {
      const seen: string[] = []
      let path: string | undefined = `/v2/dead-letters?${query}`
      while (path !== undefined) {
        const next: Page = await page(path)
        seen.push(...namesOf(next))
        path = next.paging.next
      }
      expect(new Set(seen).size, query).toBe(wanted)
      expect(seen, query).toHaveLength(wanted)
    }
    expect(namesOf(await page('/v2/dead-letters?destinationId=nowhere'))).toEqual([])
  })

  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=1.5'])
    it(`refuses ${query}`, async () => {
      expect((await api.get(`/v2/dead-letters?${query}`)).status).toBe(400)
    })

  it('shows how full the store of dead letters is', async () => {
    await fail('m1', 'm2')
    const { usage } = await page()
    expect(usage).toMatchObject({ letters: 4, lettersMax: 200, share: 0.02 })
    expect(usage['bytes']).toBeGreaterThan(1_000)
  })
})

describe('one dead letter', () => {
  it('is shown by its id until it is removed', async () => {
    await fail('m1')
    const [letter] = (await page()).data
    expect((await api.get(`/v2/dead-letters/${letter?.id}`)).body).toEqual(letter)
    expect((await api.delete(`/v2/dead-letters/${letter?.id}`)).status).toBe(204)
    for (const answer of [
      await api.get(`/v2/dead-letters/${letter?.id}`),
      await api.delete(`/v2/dead-letters/${letter?.id}`),
      await api.get('/v2/dead-letters/unknown'),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'deadLetterUnknown'])
    expect((await page()).data).toHaveLength(1)
  })
})

describe('replaying dead letters', () => {
  it('sends the named ones again; they are removed once they have arrived', async () => {
    await fail('m1', 'm2')
    const [first, ...others] = (await page('/v2/dead-letters?destinationId=hook')).data
    refusing.clear()
    const before = sent.requests.length
    const ids = [first?.id, first?.id, 'unknown']
    expect(await api.post('/v2/dead-letters/replay', { ids })).toMatchObject({ status: 202, body: { replayed: 1 } })
    await sluice.settled()
    expect(sent.requests.slice(before).map(({ body }) => body.JSON['messageId'])).toEqual([first?.messageId])
    expect(namesOf(await page('/v2/dead-letters?destinationId=hook'))).toEqual(
      namesOf({ ...(await page()), data: others }),
    )
    const [stats] = await sluice.stats('shop')
    expect(stats?.destinations.find(({ destinationId }) => destinationId === 'hook')).toMatchObject({
      accepted: 2,
      replayed: 1,
      delivered: 1,
      failed: { 'deliver.refused': 2 },
      pending: 0,
    })
  })

  it('sends all of a destination again, and keeps those that fail again as new dead letters', async () => {
    await fail('m1', 'm2')
    const before = await page('/v2/dead-letters?destinationId=hook')
    expect(await api.post('/v2/dead-letters/replay', { destinationId: 'hook' })).toMatchObject({
      body: { replayed: 2 },
    })
    await sluice.settled()
    const after = await page('/v2/dead-letters?destinationId=hook')
    expect(namesOf(after)).toEqual(namesOf(before))
    expect(after.data.map(({ id }) => id)).not.toEqual(before.data.map(({ id }) => id))
  })

  it('keeps dead letters whose destination is gone', async () => {
    await fail('m1')
    const { destinations = [], connections = [], ...rest } = theShop
    const only = { ...rest, destinations: destinations.slice(0, 1), connections: connections.slice(0, 1) }
    await sluice.updateWorkspace({ workspaces: [only, neighbour] })
    expect(await api.post('/v2/dead-letters/replay', { destinationId: 'other' })).toMatchObject({
      status: 404,
      body: { code: 'destinationMissing' },
    })
    expect(namesOf(await page('/v2/dead-letters?destinationId=other'))).toEqual(['m1 other'])
  })
})

describe('dead letters in groups', () => {
  it('are counted by destination, code and reason, with their times', async () => {
    await fail('m1', 'm2')
    refusing.delete('other.test')
    await fail('m3')
    const { body } = await api.get('/v2/dead-letters/groups')
    const { data } = await page('/v2/dead-letters?destinationId=hook')
    const group = { code: 'deliver.refused', reason: 'hook.test refused the request. It answered 422.' }
    expect(body['groups']).toEqual([
      {
        destinationId: 'hook',
        ...group,
        count: 3,
        first: data[0]?.['at'],
        last: data[2]?.['at'],
        newestId: data[2]?.id,
      },
      expect.objectContaining({ destinationId: 'other', count: 2 }),
    ])
    const query = new URLSearchParams({ destinationId: 'hook', ...group, order: 'desc', limit: '2' })
    const first = await page(`/v2/dead-letters?${query}`)
    expect(first.data.map(({ messageId }) => messageId)).toEqual(['m3', 'm2'])
    const second = await page(first.paging.next)
    expect([second.data.map(({ messageId }) => messageId), second.paging]).toEqual([['m1'], {}])
  })

  it('are counted by slots of time, up to now', async () => {
    await fail('m1', 'm2')
    await fail('m3')
    const { body } = await api.get('/v2/dead-letters/groups?every=1d&range=200d')
    const everyMs = 86_400_000
    const { since, ...slots } = body['slots'] as unknown as { since: string }
    expect(slots).toEqual({ everyMs, count: 200 })
    expect(Date.parse(since) % everyMs).toBe(0)
    const { data } = await page('/v2/dead-letters?destinationId=hook')
    const expected = Array.from({ length: 200 }, () => 0)
    for (const { at } of data) {
      const slot = Math.floor((Date.parse(String(at)) - Date.parse(since)) / everyMs)
      expected[slot] = (expected[slot] ?? 0) + 1
    }
    const groups = body['groups'] as unknown as { destinationId: string; counts: number[] }[]
    expect(groups.find(({ destinationId }) => destinationId === 'hook')?.counts).toEqual(expected)
    expect(expected.reduce((sum, count) => sum + count, 0)).toBe(3)
    for (const [query, code] of [
      ['every=15m', 'rangeInvalid'],
      ['range=24h', 'rangeInvalid'],
      ['every=1s&range=1h', 'rangeInvalid'],
      ['every=0m&range=1h', 'queryInvalid'],
      ['every=soon&range=1h', 'queryInvalid'],
    ])
      expect(await api.get(`/v2/dead-letters/groups?${query}`)).toMatchObject({ status: 400, body: { code } })
  })

  it('are listed by source and time', async () => {
    await fail('m1')
    const [{ at } = { at: '' }] = (await page('/v2/dead-letters?destinationId=hook')).data
    const count = async (query: string) => (await page(`/v2/dead-letters?destinationId=hook&${query}`)).data.length
    expect(await count(`since=${at}&sourceId=web`)).toBe(1)
    expect(await count(`until=${at}`)).toBe(0)
    expect(await count('sourceId=app')).toBe(0)
    expect((await api.get('/v2/dead-letters?since=yesterday')).body.code).toBe('queryInvalid')
    expect((await api.get('/v2/dead-letters?order=up')).body.code).toBe('queryInvalid')
  })
})

describe('dead letters for people', () => {
  const identify = async (userId: string, traits: object) => {
    const events = [{ type: 'identify', userId, messageId: `of-${userId}`, traits }]
    expect((await sluice.ingest('web-key', events)).ok).toBe(true)
    await sluice.settled()
  }
  const read = async (query: string) => {
    const { text } = await api.get(`/v2/dead-letters?destinationId=hook&${query}`)
    const [{ id } = { id: '' }] = (await page('/v2/dead-letters?destinationId=hook')).data
    return [text, (await api.get(`/v2/dead-letters/${id}?${query}`)).text]
  }

  it('show no personal data when masked, and nothing that the source masks', async () => {
    await identify('u1', { name: 'Ann', email: 'ann@shop.test' })
    for (const text of await read('masked=true')) {
      expect(text).toContain('[masked]')
      expect(text).toContain('of-u1')
      for (const personal of ['Ann', 'ann@shop.test']) expect(text).not.toContain(personal)
    }
    for (const text of await read('')) for (const personal of ['Ann', 'ann@shop.test']) expect(text).toContain(personal)
  })

  it('show the request, its personal data masked, where the event has no path that the source masks', async () => {
    await identify('u2', { email: 'bob@shop.test' })
    for (const text of await read('masked=true')) {
      expect(text).toContain('http://hook.test/in')
      expect(text).toContain('[email]')
      expect(text).not.toContain('bob@shop.test')
    }
  })

  it('are written to the audit log when they are read unmasked', async () => {
    await identify('u1', {})
    const [{ id } = { id: '' }] = (await page('/v2/dead-letters?masked=true')).data
    await api.get(`/v2/dead-letters/${id}?masked=true`)
    await api.get('/v2/dead-letters/groups')
    expect(await store.audit.list('shop', 10)).toEqual([])
    await api.get(`/v2/dead-letters/${id}`)
    await api.get('/v2/dead-letters?masked=false')
    for (const token of ['read', 'operate']) await api.as(`Bearer ${token}`).get('/v2/dead-letters')
    expect(await store.audit.list('shop', 10)).toMatchObject([
      { token: 'operate', method: 'GET', path: '/v2/dead-letters', status: 403 },
      { token: 'read', method: 'GET', path: '/v2/dead-letters', status: 403 },
      { token: 'all', method: 'GET', path: '/v2/dead-letters', status: 200 },
      { token: 'all', method: 'GET', path: `/v2/dead-letters/${id}`, status: 200 },
    ])
  })

  it('are shown masked to a token that has the scope operate alone', async () => {
    await identify('u1', { email: 'ann@shop.test' })
    const watcher = api.as('Bearer operate')
    const { status, text } = await watcher.get('/v2/dead-letters?masked=true')
    expect([status, text]).toEqual([200, expect.stringContaining('[email]')])
    expect(text).not.toContain('ann@shop.test')
    expect(await watcher.get('/v2/dead-letters')).toMatchObject({
      status: 403,
      body: { code: 'scopeMissing', message: expect.stringContaining('write') },
    })
  })

  it('leave out suppressed users, whose letters then look like none', async () => {
    await identify('u1', {})
    const [{ id } = { id: '' }] = (await page('/v2/dead-letters?masked=true')).data
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect((await page('/v2/dead-letters?masked=true')).data).toEqual([])
    const gone = await api.get(`/v2/dead-letters/${id}?masked=true`)
    const never = await api.get('/v2/dead-letters/never?masked=true')
    expect([gone.status, gone.text]).toEqual([404, never.text])
  })
})

describe('removing dead letters', () => {
  it('removes the named ones, or all of a destination', async () => {
    await fail('m1', 'm2')
    const [first] = (await page('/v2/dead-letters?destinationId=other')).data
    expect(await api.post('/v2/dead-letters/remove', { ids: [first?.id, 'unknown'] })).toMatchObject({
      status: 200,
      body: { removed: 1 },
    })
    expect(await api.post('/v2/dead-letters/remove', { destinationId: 'hook' })).toMatchObject({ body: { removed: 2 } })
    expect(namesOf(await page())).toEqual([first?.messageId === 'm1' ? 'm2 other' : 'm1 other'])
    expect((await page()).usage['letters']).toBe(1)
  })
})

describe('removing dead letters by a filter', () => {
  it('removes those of one reason, leaves their events counted as failed, and is among the changes', async () => {
    await fail('m1', 'm2', 'm3')
    const { data } = await page('/v2/dead-letters?destinationId=hook')
    const [letter] = data
    const failed = async () =>
      (await sluice.stats('shop')).flatMap(({ destinations }) =>
        destinations.map((each) => [each.accepted, each.failed]),
      )
    const before = await failed()
    const choice = { destinationId: 'hook', code: letter?.code, reason: letter?.reason }
    expect(await api.post('/v2/dead-letters/remove', { ...choice, reason: 'another one' })).toMatchObject({
      status: 200,
      body: { removed: 0 },
    })
    expect(await api.post('/v2/dead-letters/remove', choice)).toMatchObject({ body: { removed: 3 } })
    expect((await page()).data.map(({ destinationId }) => destinationId)).toEqual(['other', 'other', 'other'])
    expect(await failed()).toEqual(before)
    const changes = (await api.get('/v2/changes?kind=removed')).body as unknown as { data: { text: string }[] }
    expect(changes.data.map(({ text }) => text)).toEqual([expect.stringContaining('removed 3 failed events of')])
  })

  it('refuses ids beside a filter', async () => {
    expect(await api.post('/v2/dead-letters/remove', { ids: ['a'], code: 'deliver.refused' })).toMatchObject({
      status: 400,
      body: { code: 'deadLettersUnchosen' },
    })
  })
})

describe('choosing dead letters', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['nothing', {}, 'deadLettersUnchosen'],
    ['both', { ids: ['a'], destinationId: 'hook' }, 'deadLettersUnchosen'],
    ['ids that are not a list', { ids: 'a' }, ''],
    ['ids that are not texts', { ids: [1] }, ''],
    ['too many ids', { ids: Array.from({ length: 1_001 }, String) }, ''],
    ['a list', [], ''],
  ]
  for (const [name, body, code] of wrong)
    it(`refuses ${name}, for a replay and for a removal`, async () => {
      await fail('m1')
      for (const path of ['/v2/dead-letters/replay', '/v2/dead-letters/remove']) {
        const answer = await api.post(path, body)
        expect([path, answer.status]).toEqual([path, 400])
        if (code) expect(answer.body.code).toBe(code)
      }
      expect((await page()).data).toHaveLength(2)
    })
})

describe('access to dead letters', () => {
  it('chooses none by an empty list: that is refused', async () => {
    for (const path of ['replay', 'remove'])
      expect(await api.post(`/v2/dead-letters/${path}`, { ids: [] })).toMatchObject({
        status: 400,
        body: { code: 'bodyInvalid', message: expect.stringContaining('a list of 1 to 1000 ids') },
      })
  })

  it('is allowed with the scope operate, masked, and refused without it', async () => {
    await fail('m1')
    const [letter] = (await page()).data
    const calls: readonly ((as: ApiClient) => Promise<{ readonly status: number }>)[] = [
      (as) => as.get('/v2/dead-letters'),
      (as) => as.get('/v2/dead-letters/groups'),
      (as) => as.get(`/v2/dead-letters/${letter?.id}`),
      (as) => as.post('/v2/dead-letters/replay', { ids: ['unknown'] }),
      (as) => as.post('/v2/dead-letters/remove', { ids: ['unknown'] }),
      (as) => as.delete(`/v2/dead-letters/unknown`),
    ]
    const statusesOf = async (token: string) => {
      const as = api.as(`Bearer ${token}`)
      return Promise.all(calls.map(async (call) => (await call(as)).status))
    }
    // Personal data needs the scope write as well.
    expect(await statusesOf('operate')).toEqual([403, 200, 403, 202, 200, 404])
    expect(await statusesOf('all')).toEqual([200, 200, 200, 202, 200, 404])
    for (const token of ['read', 'write'])
      expect(await statusesOf(token), token).toEqual([403, 403, 403, 403, 403, 403])
    expect(await statusesOf('wrong')).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('is refused to other workspaces', async () => {
    await fail('m1')
    const other = api.as('Bearer neighbour')
    const { data, usage } = await page('/v2/dead-letters', other)
    expect(data).toEqual([])
    expect(usage['letters'], 'the usage is its own').toBe(0)
    const ids = (await page()).data.map(({ id }) => id)
    expect((await other.get(`/v2/dead-letters/${ids[0]}`)).status).toBe(404)
    expect((await other.delete(`/v2/dead-letters/${ids[0]}`)).status).toBe(404)
    for (const which of [{ ids }, { destinationId: 'hook' }]) {
      expect(await other.post('/v2/dead-letters/remove', which)).toMatchObject({ body: { removed: 0 } })
      expect(await other.post('/v2/dead-letters/replay', which)).toMatchObject({ body: { replayed: 0 } })
    }
    expect((await page()).data).toHaveLength(2)
  })
})
