import { gzipSync } from 'node:zlib'
import { createIngestionArea, type IngestionOptions } from '@sluice/http'
import fc from 'fast-check'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DocumentedHandler, documented } from '../support/http/documented.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let receiver: Receiver
let sluice: Sluice
let api: DocumentedHandler

beforeEach(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({
    allowAddresses: ['localhost'],
    workspace: shop(receiver.url, {
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'off', writeKey: 'off-key', enabled: false },
      ],
    }),
  })
  api = await documented(sluice)
})

afterEach(async () => {
  await sluice.stop()
  await receiver.close()
})

interface Sent {
  readonly auth?: string | null
  readonly body?: string | Buffer | null
  readonly headers?: Record<string, string>
}

async function send(path: string, { auth = 'web-key', body = null, headers = {} }: Sent): Promise<Response> {
  const credentials: Record<string, string> =
    auth === null ? {} : { authorization: `Basic ${Buffer.from(`${auth}:`).toString('base64')}` }
  return api.fetch(
    new Request(`http://sluice.test${path}`, { method: 'POST', body, headers: { ...credentials, ...headers } }),
  )
}

async function answer(path: string, sent: Sent): Promise<readonly [number, string]> {
  const response = await send(path, sent)
  return [response.status, await response.text()]
}

/** Events that the destination received, in order. */
async function delivered(): Promise<readonly Record<string, unknown>[]> {
  await sluice.settled()
  return receiver.received.map(({ body }) => JSON.parse(body))
}

const event = (members: object = {}): string => JSON.stringify({ userId: 'u1', event: 'Seen', ...members })
const limitBytes = 4_000 * 1_024
/** An engine written by someone else: the area needs only these functions of it. */
const engineThatTakesAll: IngestionOptions['engine'] = {
  authenticate: (writeKey) => ({
    ok: true,
    source: { workspaceId: 'w', sourceId: 's', writeKey, enabled: true, destinationIds: [] },
  }),
  sourceOf: () => undefined,
  workspaces: [],
  refuse: async () => {},
  inTurn: async (_, work) => work(),
  ingest: async () => ({ ok: true, messageIds: [], rejected: [] }),
}

describe('ingestion', () => {
  it('answers ok once the event is stored, and delivers it', async () => {
    expect(await answer('/v1/track', { body: event() })).toEqual([200, 'ok'])
    expect(await delivered()).toEqual([expect.objectContaining({ type: 'track', userId: 'u1', event: 'Seen' })])
  })

  for (const type of ['identify', 'track', 'page', 'screen', 'group', 'alias']) {
    it(`accepts ${type} calls and gives the event that type`, async () => {
      expect(await answer(`/v1/${type}`, { body: event({ type: 'something else' }) })).toEqual([200, 'ok'])
      expect((await delivered())[0]).toMatchObject({ type })
    })
  }

  it('adds messageId, receivedAt, request_ip, rudderId (also as serviceId) and timestamp to every event', async () => {
    await send('/v1/track', {
      body: event({ originalTimestamp: '2026-01-01T00:00:00.000Z', sentAt: '2026-01-01T00:00:01.000Z' }),
    })
    const [got] = await delivered()
    expect(got).toMatchObject({ messageId: expect.stringMatching(uuidV4), request_ip: expect.any(String) })
    expect(got?.['serviceId']).toBe(got?.['rudderId'])
    const receivedAt = Date.parse(String(got?.['receivedAt']))
    expect(Date.parse(String(got?.['timestamp']))).toBe(receivedAt - 1_000)
  })

  it('keeps the address of a client that closes its connection when it has sent the body', async () => {
    const socket: { remoteAddress?: string } = { remoteAddress: '192.0.2.1' }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from(event()))
        controller.close()
      },
    })
    const headers = { authorization: `Basic ${Buffer.from('web-key:').toString('base64')}` }
    const request = new Request('http://sluice.test/v1/track', { method: 'POST', headers, body, duplex: 'half' })
    const answering = sluice.fetch(request, { incoming: { socket } })
    delete socket.remoteAddress
    expect((await answering).status).toBe(200)
    expect((await delivered())[0]).toMatchObject({ request_ip: '192.0.2.1', context: { ip: '192.0.2.1' } })
  })

  it('keeps a timestamp, receivedAt and request_ip of the sender', async () => {
    const given = {
      timestamp: '2020-01-01T00:00:00Z',
      receivedAt: '2024-01-01T01:01:01.000000001Z',
      request_ip: 'here',
    }
    await send('/v1/track', { body: event(given) })
    expect((await delivered())[0]).toMatchObject({
      timestamp: '2020-01-01T00:00:00.000Z',
      receivedAt: '2024-01-01T01:01:01.000Z',
      request_ip: 'here',
    })
  })

  it('uses sentAt of the batch for events without one', async () => {
    const batch = [{ type: 'track', userId: 'u', originalTimestamp: '2026-01-01T00:00:00.000Z' }]
    await send('/v1/batch', { body: JSON.stringify({ batch, sentAt: '2026-01-01T00:00:05.000Z' }) })
    const [got] = await delivered()
    expect(Date.parse(String(got?.['receivedAt'])) - Date.parse(String(got?.['timestamp']))).toBe(5_000)
  })

  it('reads gzip, whatever the content type', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await answer('/v1/track', { body: gzipSync(event()), headers })).toEqual([200, 'ok'])
    expect(await delivered()).toHaveLength(1)
  })

  it('refuses damaged gzip, and keeps serving', async () => {
    const damaged = gzipSync(event()).subarray(0, 30)
    expect(await answer('/v1/track', { body: damaged })).toEqual([400, 'invalid gzip body\n'])
    expect(await answer('/v1/track', { body: event() })).toEqual([200, 'ok'])
  })

  it('accepts a body of exactly the limit and refuses one byte more', async () => {
    const bodyOf = (length: number): string => {
      const empty = event({ padding: '' })
      return event({ padding: 'x'.repeat(length - empty.length) })
    }
    expect(await answer('/v1/track', { body: bodyOf(limitBytes) })).toEqual([200, 'ok'])
    expect(await answer('/v1/track', { body: bodyOf(limitBytes + 1) })).toEqual([
      413,
      'request size exceeds max limit\n',
    ])
  })

  it('refuses a gzip bomb because of its inflated size', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1_024 * 1_024, 0x20))
    const before = process.memoryUsage().rss
    expect(await answer('/v1/track', { body: bomb })).toEqual([413, 'request size exceeds max limit\n'])
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_024 * 1_024)
  })

  it('says that gzip is refused because it inflates too much, although the same body would pass without gzip', async () => {
    const body = event({ padding: 'x'.repeat(1_000_000) })
    const detail = 'gzip inflates to more than 200 times its size; send it uncompressed'
    expect(await answer('/v1/track', { body: gzipSync(body) })).toEqual([
      413,
      `request size exceeds max limit (${detail})\n`,
    ])
    expect(await answer('/v1/track', { body })).toEqual([200, 'ok'])
  })

  it('refuses an event that is nested too deeply', async () => {
    const deep = `{"userId":"u","properties":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    expect(await answer('/v1/track', { body: deep })).toEqual([400, 'event is not a valid rudder event\n'])
  })

  it('refuses a batch as a whole when one of its events is malformed', async () => {
    const body = JSON.stringify({ batch: [{ type: 'track', userId: 'good' }, { type: 'track' }] })
    expect(await answer('/v1/batch', { body })).toEqual([400, 'request neither has anonymousId nor userId\n'])
    expect(await delivered()).toEqual([])
    expect((await sluice.stats())[0]).toMatchObject({
      received: 2,
      rejected: { 'request neither has anonymousId nor userId': 2 },
      accepted: 0,
    })
  })

  it('lets browsers send from any origin', async () => {
    const preflight = await api.fetch(
      new Request('http://sluice.test/v1/track', {
        method: 'OPTIONS',
        headers: {
          origin: 'https://shop.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      }),
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization/i)
    const posted = await send('/v1/track', { body: event(), headers: { origin: 'https://shop.example' } })
    expect(posted.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('lets browsers send only from the configured origins', async () => {
    const strict = await createSluice({
      workspace: shop(receiver.url),
      allowAddresses: ['localhost'],
      corsOrigins: ['https://shop.example'],
    })
    const allowed = async (origin: string) => {
      const request = new Request('http://sluice.test/v1/track', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      return (await strict.fetch(request)).headers.get('access-control-allow-origin')
    }
    expect([await allowed('https://shop.example'), await allowed('https://evil.example')]).toEqual([
      'https://shop.example',
      null,
    ])
    await strict.stop()
  })

  it('answers every JSON value with ok or 400, never 5xx', async () => {
    const names = ['type', 'userId', 'anonymousId', 'messageId', 'event', 'timestamp', 'originalTimestamp', 'sentAt']
    const more = ['receivedAt', 'request_ip', 'context', 'properties', 'toString', '__proto__', 'constructor', 'toJSON']
    const value = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: 1 }), fc.constant(['\ud800\u0000']))
    const hostile = fc.dictionary(fc.constantFrom(...names, ...more), value)
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { maxLength: 4 }), value, async (batch, sentAt) => {
        const body = JSON.stringify({ batch, sentAt })
        const [status, text] = await answer('/v1/batch', { body })
        expect([200, 400]).toContain(status)
        expect(text).not.toBe('')
        expect((await answer('/v1/track', { body: JSON.stringify(batch[0] ?? {}) }))[0]).toBeLessThan(500)
      }),
      { numRuns: 150 },
    )
    await sluice.settled()
    const [stats] = await sluice.stats()
    expect(stats?.destinations[0]?.pending ?? 0).toBe(0)
  })

  for (const name of ['messageId', 'userId', 'anonymousId']) {
    it(`refuses a ${name} that is longer than any real one`, async () => {
      const body = event({ [name]: 'x'.repeat(1_001) })
      expect(await answer('/v1/track', { body })).toEqual([400, 'event is not a valid rudder event\n'])
    })
  }

  it('counts accepted events with numbers that JSON cannot carry, by source, and not those of suppressed users', async () => {
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'hidden' }] })
    const body = (userId: string, n: string) => `{"userId":"${userId}","event":"E","properties":{"n":[{"deep":${n}}]}}`
    for (const n of [
      '9007199254740991',
      '-9007199254740991',
      '1e15',
      '0.1234567890123456789',
      '"9007199254740993"',
      '-0',
    ])
      expect(await answer('/v1/track', { body: body('u1', n) })).toEqual([200, 'ok'])
    expect((await sluice.stats())[0]).toMatchObject({ accepted: 6, largeNumbers: 0 })
    for (const n of ['9007199254740993', '-9007199254740993', '1e400', '-1E+400', '12345678901234567890'])
      expect(await answer('/v1/track', { body: body('u1', n) })).toEqual([200, 'ok'])
    await answer('/v1/batch', {
      body: `{"batch":[{"type":"track","x":1e400,"userId":"u1"},{"type":"track","userId":"u1"}]}`,
    })
    await answer('/v1/track', { body: body('hidden', '1e400') })
    expect((await sluice.stats())[0]).toMatchObject({ accepted: 13, suppressed: 1, largeNumbers: 6 })
    expect(await sluice.metrics()).toContain('sluice_events_large_numbers_total{workspace="shop",source="web"} 6\n')
    const sent = await delivered()
    expect(sent.map(({ properties }) => properties)).toContainEqual({ n: [{ deep: null }] })
  })

  it('answers 405 to methods that cannot send events', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await api.fetch(new Request('http://sluice.test/v1/track', { method }))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    }
  })

  it('drops a body whose sender disconnects', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"userId":'))
        controller.error(new Error('gone'))
      },
    })
    const authorization = `Basic ${Buffer.from('web-key:').toString('base64')}`
    const request = new Request('http://sluice.test/v1/track', {
      method: 'POST',
      body,
      headers: { authorization },
      duplex: 'half',
    })
    expect((await api.fetch(request)).status).toBe(400)
  })

  it('refuses bodies when there is no more room, and says when to retry', async () => {
    const area = createIngestionArea({ engine: engineThatTakesAll, bodiesBytesMax: 1_000 })
    let finish = (): void => {}
    const slow = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(900))
        finish = () => controller.close()
      },
    })
    const request = (body: string | ReadableStream) =>
      new Request('http://sluice.test/v1/track', {
        method: 'POST',
        body,
        headers: { authorization: 'Basic azo=' },
        duplex: 'half',
      })
    const first = area.fetch(request(slow))
    await new Promise((resolve) => setTimeout(resolve, 10))
    const second = await area.fetch(request(JSON.stringify({ padding: 'x'.repeat(200) })))
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5'])
    finish()
    expect((await first).status).toBe(400)
    expect((await area.fetch(request('{}'))).status).toBe(200)
  })

  it('answers 404 to an unknown path', async () => {
    expect((await send('/v1/shout', { body: event() })).status).toBe(404)
  })
})

interface Case {
  readonly name: string
  readonly path: string
  readonly auth?: string | null
  readonly request?: unknown
  readonly status: number
  readonly body?: string
  readonly stored?: unknown
  readonly storedMessageId?: string
}

// Other methods (sdk-routes.test.ts), or settings Sluice does not have: rate limits, and accepting events without identity.
const elsewhere = /pixel|rate limit|queue store fails/

describe.skipIf(!hasConformance)('recorded ingest cases', () => {
  const { cases } = hasConformance
    ? (conformanceJson('governance/gateway/ingest_cases.json') as { cases: Case[] })
    : { cases: [] }
  const keys: Record<string, string> = { enabled: 'web-key', disabled: 'off-key', invalid: 'no-such-key' }

  for (const each of cases.filter(({ name }) => !elsewhere.test(name))) {
    it(each.name, async () => {
      if (each.name.startsWith('whole request suppressed'))
        await sluice.regulations.create('shop', {
          regulationType: 'suppress',
          users: [{ userId: 'suppressed-user-2' }],
        })
      const auth = each.auth == null ? (each.auth === undefined ? 'web-key' : null) : (keys[each.auth] ?? each.auth)
      const request = each.request ?? null
      const text = request === '<over limit>' ? event({ padding: 'x'.repeat(limitBytes) }) : request
      const body = text === null || typeof text === 'string' ? text : JSON.stringify(text)
      const [status, got] = await answer(each.path.replace('{type}', 'track'), { auth, body })
      expect(status).toBe(each.status)
      if (each.body !== undefined) expect(got).toBe(status === 200 ? each.body : `${each.body}\n`)

      const events = await delivered()
      if (each.storedMessageId === '<uuid v4>') expect(events[0]?.['messageId']).toMatch(uuidV4)
      else if (each.storedMessageId !== undefined) expect(events[0]?.['messageId']).toBe(each.storedMessageId)
      const [stats] = await sluice.stats()
      if (typeof each.stored === 'number') expect(stats?.accepted ?? 0).toBe(each.stored)
    })
  }
})
