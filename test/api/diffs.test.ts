import { type Clock, createSeededRandom, type JsonObject, systemClock } from '@sluice/core'
import { createRecordingTransport, type RecordingTransport, reply } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiBody, type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const secret = 'Bearer the-secret-of-the-hook'
const credential = 'key-of-the-api'
const tokens = { operate: ['operate'], both: ['read', 'operate', 'write'], read: ['read'] } as const
const live = 'export const transformEvent = (event) => event'
const next = `export function transformEvent(event) {
  if (event.event === 'Seen') return null
  if (event.properties) event.properties.total *= 100
  return event
}`

let sluice: Sluice
let transport: RecordingTransport
let api: ApiClient
let operator: ApiClient
let clock: Clock
let id: string
let fetched: string[]
beforeEach(async () => {
  fetched = []
  clock = systemClock
  transport = createRecordingTransport(() => reply(200))
  sluice = await createSluice({
    workspace: shop('http://hook.test/in', {
      destinations: [
        {
          id: 'hook',
          type: 'WEBHOOK',
          settings: { webhookUrl: 'http://hook.test/in', headers: [{ from: 'authorization', to: secret }] },
        },
      ],
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'app', writeKey: 'app-key', observe: { maskPaths: ['properties.note'] } },
      ],
      connections: ['web', 'app'].map((source) => ({ source, destination: 'hook' })),
      credentials: { api: credential },
      accessTokens: Object.entries(tokens).map(([name, scopes]) => ({
        name,
        token: hashOf(name),
        scopes: [...scopes],
      })),
    }),
    transport,
    clock,
    random: createSeededRandom(7),
    sandbox: {
      mode: 'in-process',
      fetch: async (url) => {
        fetched.push(url)
        return { url, status: 200, headers: {}, text: 'reached' }
      },
    },
  })
  api = await createApiClient(sluice, 'Bearer both')
  operator = api.as('Bearer operate')
  const created = await api.post('/transformations?publish=true', {
    name: 'orders',
    code: live,
    language: 'javascript',
    destinationIds: ['hook'],
  })
  id = String(created.body['id'])
  expect(created.status).toBe(200)
})
afterEach(() => sluice.stop())

const order = (messageId: string, total: number, more: JsonObject = {}) => ({
  type: 'track',
  event: 'Order',
  userId: 'u1',
  messageId,
  properties: { total, email: 'ann@shop.test', ...more },
})
const seen = { type: 'track', event: 'Seen', userId: 'u2', messageId: 'm3' }

async function send(events: readonly object[], writeKey = 'web-key'): Promise<void> {
  expect((await sluice.ingest(writeKey, events as never)).ok).toBe(true)
  await sluice.settled()
}

const named = (code: string, more: object = {}, as = api, query = '') =>
  as.post(`/v2/diffs${query}`, { what: { transformationId: id, code }, ...more })
const groupsOf = (body: ApiBody) =>
  (body['groups'] as unknown as { events: number; destination?: string; path: string; change: string }[]).map(
    ({ events, destination, path, change }) => `${events}× ${destination}: ${path}: ${change}`,
  )

describe('POST /v2/diffs', () => {
  it('shows what new code would make of the events of the log, and leaves no trace of it', async () => {
    await send([order('m1', 1), order('m2', 2), seen])
    const [sent, stats, receipts] = [transport.requests.length, await sluice.stats(), await sluice.receipts('m1')]
    const { status, body, text } = await named(next)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      masked: true,
      events: 3,
      changed: 3,
      isCut: false,
      before: { passed: 3, dropped: 0, requests: 3 },
      after: { passed: 2, dropped: 1, requests: 2 },
    })
    expect(groupsOf(body)).toEqual([
      '2× hook: requests[].body.JSON.properties.total: number → another number',
      '1× hook: outcome: passed → dropped (transformation returned nothing)',
    ])
    expect(text).not.toMatch(/ann@|the-secret/)
    expect([transport.requests.length, await sluice.stats(), await sluice.receipts('m1')]).toEqual([
      sent,
      stats,
      receipts,
    ])
    expect((await api.get(`/transformations/${id}`)).body['code']).toBe(live)
  })

  it('says exactly how the requests differ once the version is published and the same events are sent again', async () => {
    const events = [order('m1', 1), order('m2', 2), seen]
    await send(events)
    const { body } = await named(next)
    const saved = await api.post(`/transformations/${id}`, { code: next })
    const { versionId } = saved.body
    const ofVersion = await operator.post('/v2/diffs', { what: { transformationId: id, versionId } })
    expect(groupsOf(ofVersion.body)).toEqual(groupsOf(body))
    const before = transport.requests.map(totalOf)
    await api.post('/transformations/libraries/publish', { transformations: [{ versionId }] })
    await operator.post('/v2/replays', { destinationId: 'hook' })
    await sluice.settled()
    // Requests of different users have no order.
    expect([new Set(before), new Set(transport.requests.slice(before.length).map(totalOf))]).toEqual([
      new Set([1, 2, undefined]),
      new Set([100, 200]),
    ])
    expect(transport.requests).toHaveLength(before.length + 2)
    expect((await operator.post('/v2/diffs', { what: { transformationId: id, versionId } })).body['changed']).toBe(0)
  })

  it('compares a library in the transformations that import it', async () => {
    const library = await api.post('/libraries?publish=true', {
      name: 'money',
      importName: 'money',
      code: 'export const cents = (total) => total',
      language: 'javascript',
    })
    const code =
      "import { cents } from 'money'\nexport const transformEvent = (event) => ({ ...event, cents: cents(event.properties.total) })"
    await api.post(`/transformations/${id}?publish=true`, { code })
    await send([order('m1', 1)])
    const what = { libraryId: library.body['id'], code: 'export const cents = (total) => total * 100' }
    expect(groupsOf((await api.post('/v2/diffs', { what })).body)).toEqual([
      '1× hook: requests[].body.JSON.cents: number → another number',
    ])
  })

  it('compares settings of a destination, and shows no secret of them', async () => {
    await send([order('m1', 1)])
    const settings = { webhookMethod: 'PUT', headers: [{ from: 'authorization', to: 'another-secret' }] }
    const { body, text } = await operator.post('/v2/diffs', { what: { destinationId: 'hook', settings } })
    expect(groupsOf(body).toSorted()).toEqual([
      '1× hook: requests[].headers.authorization: text → another text',
      '1× hook: requests[].method: text → another text',
    ])
    expect(text).not.toMatch(/the-secret|another-secret/)
  })

  it('takes only events that match, without those of suppressed users', async () => {
    await send([order('m1', 1), order('m2', 2), seen])
    await send([order('m4', 4)], 'app-key')
    const count = async (events: object) => (await named(next, { events })).body['events']
    expect(await count({ event: 'Seen' })).toBe(1)
    expect(await count({ sourceId: 'app' })).toBe(1)
    expect(await count({ sample: 2 })).toBe(2)
    expect((await named(next, { events: { sample: 2 } })).body['isCut']).toBe(true)
    expect(await count({ from: new Date(clock.now() + 60_000).toISOString() })).toBe(0)
    expect(await count({ to: new Date(clock.now() + 60_000).toISOString() })).toBe(4)
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    expect(await count({})).toBe(1)
  })

  it('shows personal data only with reveal, and hides what the source hides, in results of code, too', async () => {
    await send([order('m1', 1)])
    await send([order('m2', 2, { note: 'a secret note' })], 'app-key')
    const code =
      'export const transformEvent = (event) => ({ ...event, copy: [event.properties.note, event.properties.email].join(" ") })'
    expect((await named(code)).text).not.toMatch(/ann@|a secret note/)
    const thrown = await named('export const transformEvent = (event) => { throw new Error(event.properties.note) }')
    expect(thrown.text).not.toContain('a secret note')
    const revealed = await named(code, {}, api, '?reveal=true')
    expect(revealed.body['masked']).toBe(false)
    expect(revealed.text).toContain('ann@shop.test')
    const what = { destinationId: 'hook', settings: { webhookMethod: 'PUT' } }
    expect(await operator.post('/v2/diffs?reveal=true', { what })).toMatchObject({
      status: 403,
      body: { code: 'scopeMissing' },
    })
  })

  it('reaches no network, and shows no credential that code reads', async () => {
    await send([order('m1', 1)])
    const code = `export async function transformEvent(event) {
      const answer = await fetch('http://hook.test/else')
      return { ...event, answer, key: getCredential('api') }
    }`
    const { text } = await named(code)
    expect([fetched, text.includes('"after":"ERROR"')]).toEqual([[], true])
    expect(text).not.toContain(credential)
  })

  it('refuses what it cannot compare, and code of the call without the scope write', async () => {
    const cases: readonly (readonly [what: object, status: number, code: string])[] = [
      [{}, 400, 'diffUnchosen'],
      [{ transformationId: id }, 400, 'diffUnchosen'],
      [{ transformationId: id, destinationId: 'hook', code: live }, 400, 'diffUnchosen'],
      [{ destinationId: 'hook', code: live }, 400, 'diffUnchosen'],
      [{ transformationId: 'none', code: live }, 404, 'transformationUnknown'],
      [{ libraryId: 'none', code: live }, 404, 'libraryUnknown'],
      [{ transformationId: id, versionId: 'none' }, 404, 'versionUnknown'],
      [{ destinationId: 'none', settings: {} }, 404, 'destinationMissing'],
      [{ destinationId: 'hook', settings: { none: 1 } }, 400, 'settingUnknown'],
      [{ transformationId: id, code: 'export {{' }, 400, 'codeInvalid'],
    ]
    await send([order('m1', 1)])
    for (const [what, status, code] of cases) {
      const answered = await api.post('/v2/diffs', { what })
      expect([what, answered.status, answered.body['code']]).toEqual([what, status, code])
    }
    expect(await named(next, {}, operator)).toMatchObject({ status: 403, body: { code: 'scopeMissing' } })
    expect((await named(next, {}, api.as('Bearer read'))).status).toBe(403)
    expect((await named(next, { events: { sourceId: 'none' } })).body['code']).toBe('sourceMissing')
  })
})

function totalOf({ body }: { readonly body?: { readonly JSON?: unknown } }): unknown {
  const sent = Object(body?.JSON) as { properties?: { total?: unknown } }
  return sent.properties?.total
}
