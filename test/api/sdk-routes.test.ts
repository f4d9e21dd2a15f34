import { gzipSync } from 'node:zlib'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { basic } from '../support/http/api-client.ts'
import { type DocumentedHandler, documented } from '../support/http/documented.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let receiver: Receiver
let sluice: Sluice
let api: DocumentedHandler

beforeEach(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    workspace: shop(receiver.url, {
      sources: [
        { id: 'web', name: 'Shop', writeKey: 'web-key' },
        { id: 'off', writeKey: 'off-key', enabled: false },
        { id: 'lenient', writeKey: 'lenient-key', onInvalid: 'refuse-event' },
      ],
      destinations: [
        {
          id: 'hook',
          type: 'WEBHOOK',
          settings: { webhookUrl: receiver.url, headers: [{ from: 'X', to: 'planted' }] },
        },
      ],
    }),
  })
  api = await documented(sluice)
})
afterEach(async () => {
  await sluice.stop()
  await receiver.close()
})

interface Call {
  readonly method?: string
  readonly auth?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Record<string, string>
}

function send(path: string, { method, auth, body, headers = {} }: Call = {}): Promise<Response> {
  const credentials: Record<string, string> = auth === undefined ? {} : { authorization: basic(auth, '') }
  const init = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers: { ...credentials, ...headers } }
  return api.fetch(new Request(`http://sluice.test${path}`, { ...init, body }))
}
async function answer(path: string, call?: Call): Promise<readonly [number, unknown]> {
  const response = await send(path, call)
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return [response.status, isJson ? await response.json() : await response.text()]
}
async function delivered(): Promise<readonly Record<string, unknown>[]> {
  await sluice.settled()
  return receiver.received.map(({ body }) => JSON.parse(body))
}
const accepted = async () => (await sluice.stats())[0]?.accepted ?? 0
const text = { 'content-type': 'text/plain' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const track = { type: 'track', userId: 'u1', event: 'Seen' }
const batch = JSON.stringify({ batch: [track] })

describe('the settings of a source for RudderStack’s SDKs', () => {
  const config = async (path: string, call?: Call) =>
    (await answer(path, call))[1] as { source: Record<string, unknown> }

  it('are served by the write key, as user name or in the query', async () => {
    const want = {
      id: 'web',
      name: 'Shop',
      writeKey: 'web-key',
      enabled: true,
      workspaceId: 'shop',
      config: { statsCollection: { errors: { enabled: false }, metrics: { enabled: false } } },
      destinations: [],
      dataplanes: {},
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    }
    expect((await config('/sourceConfig', { auth: 'web-key' })).source).toMatchObject(want)
    expect((await config('/sourceConfig?p=npm&v=3.34.1&writeKey=web-key')).source).toMatchObject(want)
    const headers = { authorization: basic('web-key', '') }
    const looked = new Request('http://sluice.test/sourceConfig?view=ad', { method: 'HEAD', headers })
    expect((await sluice.fetch(looked)).status).toBe(200)
  })

  it('say that a source is disabled, so that SDKs stop', async () => {
    expect((await config('/sourceConfig', { auth: 'off-key' })).source).toMatchObject({ id: 'off', enabled: false })
  })

  it('are refused without a known write key', async () => {
    expect(await answer('/sourceConfig')).toEqual([401, 'failed to read writekey from header\n'])
    expect(await answer('/sourceConfig?writeKey=wrong')).toEqual([401, 'invalid write key\n'])
  })

  it('have nothing of the destinations', async () => {
    const answers = [await send('/sourceConfig', { auth: 'web-key' }), await send('/v1/projects/web-key/settings')]
    for (const each of answers) {
      const shown = await each.text()
      for (const secret of ['planted', receiver.url, 'hook']) expect(shown).not.toContain(secret)
    }
  })
})

describe('beacons', () => {
  it('are batches as plain text, with the write key in the query', async () => {
    expect(await answer('/beacon/v1/batch?writeKey=web-key', { body: batch, headers: text })).toEqual([200, 'ok'])
    expect(await delivered()).toEqual([expect.objectContaining(track)])
  })

  for (const { name, path, want } of [
    { name: 'no write key', path: '/beacon/v1/batch', want: [401, 'failed to read writekey from query params\n'] },
    { name: 'an unknown write key', path: '/beacon/v1/batch?writeKey=x', want: [401, 'invalid write key\n'] },
    { name: 'a disabled source', path: '/beacon/v1/batch?writeKey=off-key', want: [404, 'source is disabled\n'] },
  ])
    it(`are refused with ${name}, also when the header has a good one`, async () => {
      expect(await answer(path, { body: batch, auth: 'web-key' })).toEqual(want)
      expect(await accepted()).toBe(0)
    })

  it('may be sent with credentials from the allowed origins, as browsers do', async () => {
    for (const path of ['/beacon/v1/batch', '/v1/t', '/v1/b']) {
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
      const preflight = await send(path, { method: 'OPTIONS', headers })
      expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example')
      expect(preflight.headers.get('access-control-allow-credentials')).toBe('true')
    }
  })
})

describe('pixels', () => {
  const gif = async (path: string, method = 'GET') => {
    const response = await send(path, { method })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/gif'])
    if (method === 'GET') expect((await response.text()).slice(0, 6)).toBe('GIF89a')
    return response.headers.get('sluice-refused')
  }

  it('turn parameters with dots in their names into members', async () => {
    const query = 'writeKey=web-key&anonymousId=a1&name=Home&context.page.url=https%3A%2F%2Fx.test%2F&properties.a.b=1'
    expect(await gif(`/pixel/v1/page?${query}&integrations.All=false&__proto__.x=1`)).toBeNull()
    expect(await gif('/pixel/v1/track?writeKey=web-key&userId=u1&event=Mail%20Opened&type=alias')).toBeNull()
    const [page, opened] = await delivered()
    expect(page).toMatchObject({
      type: 'page',
      anonymousId: 'a1',
      name: 'Home',
      context: { page: { url: 'https://x.test/' } },
      properties: { a: { b: '1' } },
    })
    expect(page).not.toHaveProperty('writeKey')
    expect(page).not.toHaveProperty('integrations')
    expect(opened).toMatchObject({ type: 'track', userId: 'u1', event: 'Mail Opened' })
  })

  for (const { name, path, reason } of [
    { name: 'without a write key', path: '/pixel/v1/page', reason: 'failed to read writekey from query params' },
    { name: 'with an unknown one', path: '/pixel/v1/page?writeKey=x&userId=u', reason: 'invalid write key' },
    { name: 'of a disabled source', path: '/pixel/v1/page?writeKey=off-key&userId=u', reason: 'source is disabled' },
    {
      name: 'without a user',
      path: '/pixel/v1/page?writeKey=web-key',
      reason: 'request neither has anonymousId nor userId',
    },
    {
      name: 'without the name of a track event',
      path: '/pixel/v1/track?writeKey=web-key&userId=u&event=',
      reason: 'event is not a valid rudder event',
    },
    {
      name: 'with a name of thousands of levels',
      path: `/pixel/v1/page?writeKey=web-key&userId=u&${'a.'.repeat(5_000)}a=1`,
      reason: 'event is not a valid rudder event',
    },
  ])
    it(`are images also ${name}, and store nothing`, async () => {
      expect(await gif(path)).toBe(reason)
      expect(await accepted()).toBe(0)
    })

  it('store nothing when a program only looks (HEAD)', async () => {
    await gif('/pixel/v1/page?writeKey=web-key&userId=u', 'HEAD')
    expect(await accepted()).toBe(0)
  })
})

describe('webhooks', () => {
  const url = '/v1/webhook?writeKey=web-key'
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4/
  const want = (properties: object) =>
    expect.objectContaining({
      type: 'track',
      event: 'webhook_source_event',
      anonymousId: expect.stringMatching(uuid),
      properties,
    })

  for (const { name, call, path = url, events } of [
    { name: 'an object', call: { body: '{"a":{"b":1},"type":"alias"}' }, events: [{ a: { b: 1 }, type: 'alias' }] },
    { name: 'a list of objects, one event each', call: { body: '[{"n":1},{"n":2}]' }, events: [{ n: 1 }, { n: 2 }] },
    { name: 'another value', call: { body: '[1,"x",null]' }, events: [{ body: [1, 'x', null] }] },
    {
      name: 'a form',
      call: { body: 'type=subscribe&data%5Bid%5D=7&tag=a&tag=b', headers: form },
      events: [{ type: ['subscribe'], 'data[id]': ['7'], tag: ['a', 'b'] }],
    },
    { name: 'JSON that is labelled as a form', call: { body: '{"a":1}', headers: form }, events: [{ a: 1 }] },
    { name: 'a query', path: `${url}&a=1&a=2`, call: {}, events: [{ a: ['1', '2'] }] },
    { name: 'Basic authentication', path: '/v1/webhook', call: { body: '{}', auth: 'web-key' }, events: [{}] },
  ] as readonly { name: string; call: Call; path?: string; events: readonly object[] }[])
    it(`become events: ${name}`, async () => {
      expect(await answer(path, call)).toEqual([200, 'ok'])
      const got = await delivered()
      expect(
        [...got].sort((a, b) => (JSON.stringify(a['properties']) < JSON.stringify(b['properties']) ? -1 : 1)),
      ).toEqual(events.map(want))
    })

  for (const { name, call, path = url, refused } of [
    {
      name: 'no write key',
      path: '/v1/webhook',
      call: { body: '{}' },
      refused: [401, 'failed to read writekey from query params\n'],
    },
    { name: 'no body', call: { method: 'POST' }, refused: [400, 'request body is nil\n'] },
    { name: 'an empty list', call: { body: '[]' }, refused: [400, 'empty batch payload\n'] },
    { name: 'text', call: { body: 'hello', headers: text }, refused: [400, 'invalid json\n'] },
    {
      name: 'too many parameters',
      call: { body: 'a&'.repeat(30_000), headers: form },
      refused: [413, 'request size exceeds max limit (more than 20000 parameters; send JSON)\n'],
    },
  ] as readonly { name: string; call: Call; path?: string; refused: readonly [number, string] }[])
    it(`are refused with ${name}`, async () => {
      expect(await answer(path, call)).toEqual(refused)
      expect(await accepted()).toBe(0)
    })

  it('store nothing when a program only looks (HEAD)', async () => {
    const looked = await sluice.fetch(new Request(`http://sluice.test${url}`, { method: 'HEAD' }))
    expect(looked.status).toBe(200)
    expect(await accepted()).toBe(0)
  })
})

describe('events of the past, and merged identities', () => {
  it('an import is a batch whose times are kept', async () => {
    const old = { ...track, timestamp: '2019-01-01T00:00:00.000Z' }
    const body = gzipSync(JSON.stringify({ batch: [old, { ...old, userId: 'u2' }] }))
    // SDKs for Ruby and Java read the answer as JSON.
    expect(await answer('/v1/import', { auth: 'web-key', body })).toEqual([200, { success: true }])
    expect((await delivered()).map(({ timestamp }) => timestamp)).toEqual([old.timestamp, old.timestamp])
  })

  it('a merge is an event of that type, and needs a user', async () => {
    const merge = { userId: 'u1', mergeProperties: [{ type: 'email', value: 'a@x.test' }] }
    expect(await answer('/v1/merge', { auth: 'web-key', body: JSON.stringify(merge) })).toEqual([200, 'ok'])
    expect(await delivered()).toEqual([expect.objectContaining({ ...merge, type: 'merge' })])
    const refused = await answer('/v1/merge', { auth: 'web-key', body: JSON.stringify({ mergeProperties: [] }) })
    expect(refused).toEqual([400, 'request neither has anonymousId nor userId\n'])
  })
})

describe('the routes of Segment’s SDKs', () => {
  const success = [200, { success: true }]

  for (const [letter, type] of Object.entries({
    i: 'identify',
    t: 'track',
    p: 'page',
    s: 'screen',
    g: 'group',
    a: 'alias',
  }))
    it(`/v1/${letter} is ${type}, with the write key in the header or in a text, and not in the event`, async () => {
      const event = { userId: 'u1', messageId: 'm1' }
      const inBody = JSON.stringify({ ...event, writeKey: 'web-key' })
      expect(await answer(`/v1/${letter}`, { body: inBody, headers: text })).toEqual(success)
      const inBoth = JSON.stringify({ ...event, messageId: 'm2', writeKey: 'web-key' })
      expect(await answer(`/v1/${letter}`, { body: inBoth, headers: text, auth: 'web-key' })).toEqual(success)
      const events = await delivered()
      expect(events.map((each) => [each['type'], each['messageId'], 'writeKey' in each])).toEqual([
        [type, 'm1', false],
        [type, 'm2', false],
      ])
    })

  it('/v1/b is a batch', async () => {
    const body = JSON.stringify({ writeKey: 'web-key', batch: [{ ...track, writeKey: 'web-key' }] })
    expect(await answer('/v1/b', { body, headers: text })).toEqual(success)
    const events = await delivered()
    expect(events).toEqual([expect.objectContaining(track)])
    expect(events[0]).not.toHaveProperty('writeKey')
  })

  for (const { name, body, want } of [
    { name: 'no write key', body: batch, want: [401, 'failed to read writekey from header\n'] },
    {
      name: 'one that is no text',
      body: '{"writeKey":1,"batch":[]}',
      want: [401, 'failed to read writekey from header\n'],
    },
    { name: 'an unknown one', body: '{"writeKey":"x","batch":[]}', want: [401, 'invalid write key\n'] },
    { name: 'the one of a disabled source', body: '{"writeKey":"off-key"}', want: [404, 'source is disabled\n'] },
    { name: 'a body that is not JSON', body: 'web-key', want: [401, 'failed to read writekey from header\n'] },
    { name: 'an empty batch', body: '{"writeKey":"web-key","batch":[]}', want: [400, 'empty batch payload\n'] },
    {
      name: 'a large body',
      body: JSON.stringify({ padding: 'x'.repeat(4_000 * 1_024) }),
      want: [413, 'request size exceeds max limit\n'],
    },
  ])
    it(`are refused with ${name}`, async () => {
      expect(await answer('/v1/b', { body, headers: text })).toEqual(want)
      expect(await accepted()).toBe(0)
    })

  for (const path of ['/v1/track', '/v1/batch', '/v1/import', '/v1/import/', '//v1/batch'])
    it(`${path} takes the write key from the body, which may be in the first event`, async () => {
      const withKey = { ...track, writeKey: 'web-key' }
      const isOne = path === '/v1/track'
      const body = JSON.stringify(isOne ? withKey : { batch: [withKey, { ...track, messageId: 'm2' }] })
      const [status] = await answer(path, { body })
      expect(status).toBe(200)
      const events = await delivered()
      expect(events).toHaveLength(isOne ? 1 : 2)
      for (const event of events) expect(event).not.toHaveProperty('writeKey')
    })

  it('refuse a write key in the body that is another one than in the header', async () => {
    const body = JSON.stringify({ writeKey: 'off-key', batch: [track] })
    const want = [400, 'the write keys in header and body differ\n']
    expect(await answer('/v1/batch', { body, auth: 'web-key' })).toEqual(want)
    expect(await accepted()).toBe(0)
    expect(await answer('/v1/batch', { body: JSON.stringify({ writeKey: 'x', batch: [track] }) })).toEqual([
      401,
      'invalid write key\n',
    ])
  })

  it.each([
    ['in the first event', 'web-key', { batch: [{ ...track, writeKey: 'off-key' }] }],
    ['in the body, and is no text', 'web-key', { writeKey: 5, batch: [track] }],
    ['in the first event, and is no text', 'web-key', { batch: [{ ...track, writeKey: {} }] }],
    [
      'in the first event, and the right one in the body',
      undefined,
      { writeKey: 'web-key', batch: [{ ...track, writeKey: 'nope' }] },
    ],
  ])('refuse a call with another write key %s', async (_, auth, body) => {
    const call = { body: JSON.stringify(body), auth }
    expect(await answer('/v1/batch', call)).toEqual([400, 'the write keys in header and body differ\n'])
    expect(await accepted()).toBe(0)
  })

  it('remove a write key from every event, whatever it is', async () => {
    const events = [track, { ...track, writeKey: 'lenient-key' }, { ...track, writeKey: 5 }]
    expect((await answer('/v1/batch', { body: JSON.stringify({ batch: events }), auth: 'web-key' }))[0]).toBe(200)
    const arrived = await delivered()
    expect(arrived).toHaveLength(3)
    for (const event of arrived) expect(event).not.toHaveProperty('writeKey')
  })

  it.each([
    ['application/json', { success: true }],
    ['APPLICATION/JSON', { success: true }],
    ['application/*', { success: true }],
    ['Application/*;q=0.5, text/plain;q=0.2', { success: true }],
    ['TEXT/*, application/json', 'ok'],
    ['application/*;q=0.5, text/plain', 'ok'],
    ['application/json;q=0, application/*', 'ok'],
    ['application/json, text/plain, */*', { success: true }],
    ['text/plain, application/json', 'ok'],
    ['text/plain;q=0.5, application/json', { success: true }],
    ['*/*', 'ok'],
    ['nonsense;;q=x,,', 'ok'],
  ])('answer as the caller accepts: %s', async (accept, want) => {
    const body = JSON.stringify({ batch: [track] })
    expect(await answer('/v1/batch', { body, auth: 'web-key', headers: { accept } })).toEqual([200, want])
  })

  it.each([
    ['/v1/batch', 200],
    ['/v1/b', 200],
    ['/v1/import', 200],
  ])('take the good events of a call to %s where the source says so, and list the others', async (path, status) => {
    const body = JSON.stringify({
      batch: [track, { type: 'track', event: 'Of no user' }, 7, { ...track, messageId: 'm2' }],
    })
    const rejected = [
      { index: 1, reason: 'request neither has anonymousId nor userId' },
      { index: 2, reason: 'event is not a valid rudder event' },
    ]
    expect(await answer(path, { body, auth: 'lenient-key' })).toEqual([status, { success: true, rejected }])
    expect(await accepted()).toBe(2)
    // Another source keeps to what RudderStack does.
    expect(await answer(path, { body, auth: 'web-key' })).toEqual([400, 'request neither has anonymousId nor userId\n'])
    const allBad = JSON.stringify({ batch: [{ type: 'track' }] })
    expect((await answer(path, { body: allBad, auth: 'lenient-key' }))[0]).toBe(400)
  })

  it('suppress users as everywhere', async () => {
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect(await answer('/v1/t', { body: JSON.stringify({ ...track, writeKey: 'web-key' }) })).toEqual(success)
    expect((await sluice.stats())[0]).toMatchObject({ accepted: 0, suppressed: 1 })
  })

  it('measurements are discarded', async () => {
    for (const path of ['/v1/m', '/v1/metrics'])
      expect(await answer(path, { body: '{"series":[]}', headers: text })).toEqual(success)
  })

  it('settings name the host that was called, and https where a page needs it', async () => {
    const integration = async (headers: Record<string, string> = {}) => {
      const [status, body] = await answer('/v1/projects/web-key/settings', { headers })
      expect(status).toBe(200)
      return (body as { integrations: Record<string, Record<string, unknown>> }).integrations['Segment.io']
    }
    expect(await integration()).toMatchObject({ apiKey: 'web-key', apiHost: 'sluice.test/v1', protocol: 'http' })
    expect(await integration({ 'x-forwarded-proto': 'https' })).toMatchObject({ protocol: 'https' })
    expect(await integration({ origin: 'https://shop.example' })).toMatchObject({ protocol: 'https' })
    expect(await answer('/v1/projects/x/settings')).toEqual([401, 'invalid write key\n'])
    expect(await answer('/v1/projects/off-key/settings')).toEqual([404, 'source is disabled\n'])
  })
})

/**
 * What SDKs outside of browsers call. Source: the packages @rudderstack/rudder-sdk-node and @segment/analytics-node (also
 * run in clients.test.ts), and the documents of the SDKs for Android, iOS, Flutter and React Native.
 */
describe('SDKs of servers and phones', () => {
  const phone = { ...track, channel: 'mobile', originalTimestamp: '2026-01-01T00:00:00.000Z' }
  const phoneBatch = JSON.stringify({ batch: [phone], sentAt: '2026-01-01T00:00:01.000Z' })
  const gzip = { 'content-encoding': 'gzip' }
  for (const { name, path, call } of [
    {
      name: 'RudderStack for Node: gzip labelled as a form',
      path: '/v1/batch',
      call: { auth: 'web-key', body: gzipSync(batch), headers: form },
    },
    {
      name: 'RudderStack for Android and iOS: gzip, the user in a header',
      path: '/v1/batch',
      call: { auth: 'web-key', body: gzipSync(phoneBatch), headers: { ...gzip, anonymousid: 'YTE=' } },
    },
    {
      name: 'Segment for Kotlin, Swift and React Native: the write key in the body',
      path: '/v1/b',
      call: { body: JSON.stringify({ writeKey: 'web-key', batch: [phone] }), headers: text },
    },
    {
      name: 'Segment for Android, first generation: an import with gzip',
      path: '/v1/import',
      call: { auth: 'web-key', body: gzipSync(phoneBatch), headers: gzip },
    },
    { name: 'Segment for Node', path: '/v1/batch', call: { auth: 'web-key', body: batch } },
  ] as readonly { name: string; path: string; call: Call }[])
    it(`${name}`, async () => {
      expect((await answer(path, call))[0]).toBe(200)
      expect(await delivered()).toEqual([expect.objectContaining(track)])
    })

  it('RudderStack for phones reads the settings with Basic authentication and its name and version', async () => {
    const path = '/sourceConfig?p=android&v=1.27.0&bv=34&writeKey=web-key'
    const [status, body] = await answer(path, { auth: 'web-key' })
    expect([status, body]).toEqual([200, expect.objectContaining({ isHosted: true, source: expect.anything() })])
  })
})
