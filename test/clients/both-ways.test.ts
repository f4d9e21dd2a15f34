import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { StoreFullError } from '@sluice/core'
import { createIngestionArea, type IngestionOptions, type NodeFetch, serveRoutes } from '@sluice/http'
import { ingestErrors, UnknownOutcomeError } from '@sluice/pipeline'
import fc from 'fast-check'
import { createSluice, type FetchArea, toNodeListener } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { shop } from '../support/scenes/shop.ts'
import { type BothWays, hosts, startBothWays, type Way } from './both-ways.ts'
import { exchange, withoutDate } from './exchange.ts'
import { callOf, credentials, event, hostileCalls } from './hostile-calls.ts'
import { sentByClients } from './sent-by-clients.ts'

let ways: BothWays | undefined
afterEach(() => ways?.close())

/** Compares all that calls leave behind. */
async function expectEqualTraces({ listener, app }: BothWays): Promise<void> {
  const arrived = await listener.arrived()
  expect(arrived.length).toBeGreaterThan(0)
  expect(arrived).toEqual(await app.arrived())
  expect(await listener.sluice.stats()).toEqual(await app.sluice.stats())
}

for (const host of hosts)
  describe(`${host}: calls past the app get the same bytes as through it`, () => {
    it('for all that SDKs send', async () => {
      ways = await startBothWays(host)
      const requests = await sentByClients()
      expect(requests.length).toBeGreaterThan(50)
      for (const { client, sent } of requests) {
        const { listener, app } = await ways.ask(sent)
        expect([client, listener]).toEqual([client, app])
      }
      // Without those of pages, and of clients with the key in the body.
      expect(ways.listener.stored()).toBeGreaterThan(requests.length / 2)
      expect(ways.app.stored()).toBe(0)
      await expectEqualTraces(ways)
    })

    it('for hostile calls', async () => {
      ways = await startBothWays(host)
      for (const { name, sent, answers } of hostileCalls) {
        const { listener, app } = await ways.ask(sent, answers)
        expect([name, listener]).toEqual([name, app])
        expect([name, listener]).toEqual([name, expect.stringMatching(/^HTTP\/1\.1 \d/)])
      }
      expect(ways.listener.stored()).toBeGreaterThan(hostileCalls.length / 2)
      await expectEqualTraces(ways)
    })

    it('for any mixture of heads and bodies', async () => {
      const running = await startBothWays(host)
      ways = running
      await fc.assert(
        fc.asyncProperty(anyCall, async ({ line, headers, body }) => {
          const { listener, app } = await running.ask(callOf(line, headers, body))
          expect(listener).toBe(app)
        }),
        { numRuns: 150 },
      )
      expect(running.listener.stored()).toBeGreaterThan(50)
      await expectEqualTraces(running)
    })

    it('when the log cannot take them', async () => {
      for (const error of [
        new StoreFullError('the disk is full'),
        new UnknownOutcomeError('no answer'),
        new Error('broken'),
      ]) {
        const running = await startBothWays(host, error)
        const { listener, app } = await running.ask(callOf('POST /v1/track HTTP/1.1', common))
        expect(listener).toBe(app)
        expect(listener).toMatch(/^HTTP\/1\.1 503 /)
        expect(running.listener.reported).toEqual(running.app.reported)
        await running.close()
      }
    })

    it('when the pipeline has stopped', async () => {
      ways = await startBothWays(host)
      for (const { sluice } of [ways.listener, ways.app]) await sluice.stop()
      const { listener, app } = await ways.ask(callOf('POST /v1/track HTTP/1.1', common))
      expect(listener).toBe(app)
      expect(listener).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5/)
    })

    it('and count the same when a client leaves in the middle of its body', async () => {
      const running = await startBothWays(host)
      ways = running
      for (const [count, part] of [event.slice(0, 9), ''].entries())
        for (const { port, sluice } of [running.listener, running.app]) {
          const [head = ''] = callOf('POST /v1/track HTTP/1.1', common)
          const socket = connect(port, '127.0.0.1', () => socket.write(`${head}${part}`, () => socket.destroy()))
          const rejected = async () => (await sluice.stats()).find(({ sourceId }) => sourceId === 'web')?.rejected
          await eventually(rejected).toEqual({ [ingestErrors.bodyAborted]: count + 1 })
        }
      await running.ask(callOf('POST /v1/track HTTP/1.1', common))
      await expectEqualTraces(running)
    })
  })

/** Sends the first half of a call, lets the server stop, and then sends the rest. @returns all that is answered. */
async function callDuringStop({ port, close }: Way): Promise<string> {
  const [head = '', body = ''] = callOf('POST /v1/track HTTP/1.1', common)
  const socket = connect(port, '127.0.0.1', () => socket.write(`${head}${String(body).slice(0, 9)}`))
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text
  })
  const left = once(socket, 'close')
  const other = connect(port, '127.0.0.1')
  // What a later connection was answered shows that the server has read the half.
  other.write(`${head}${body}`)
  await once(other, 'data')
  const stopped = close()
  socket.write(String(body).slice(9))
  await Promise.all([left, stopped])
  return withoutDate(answer)
}

const common = ['Host: data.test', `Authorization: ${credentials('web-key')}`]
const header = fc.constantFrom(
  'Accept: application/json',
  'Accept: text/plain',
  'Content-Type: application/json',
  'Content-Type: image/png',
  'Content-Encoding: gzip',
  'Origin: https://shop.test',
  'Connection: close',
  'Connection: keep-alive',
  'Expect: 100-continue',
  'X-Forwarded-For: 192.0.2.1',
  'User-Agent: a',
)
const anyCall = fc.record({
  line: fc.constantFrom('track', 'track', 'batch', 'import', 'b', 'track?a').map((path) => `POST /v1/${path} HTTP/1.1`),
  headers: fc
    .tuple(
      fc.constantFrom('web-key', 'web-key', 'web-key', 'loose-key', 'off-key', 'x').map(credentials),
      fc.array(header, { maxLength: 4 }),
    )
    .map(([key, others]) => ['Host: data.test', `Authorization: ${key}`, ...others]),
  body: fc.oneof(
    fc.constant(event),
    fc.constant(`{"batch":[${event},${event},{}]}`),
    fc.json({ maxDepth: 3 }).map((text) => `{"userId":"u","type":"track","event":"E","properties":${text}}`),
    fc.json(),
    fc.string(),
  ),
})

describe('a call under way while the server stops', () => {
  it('gets its answer, with the end of its connection, past the app as through it', async () => {
    const { listener, app } = await startBothWays('sluice serve')
    const answer = await callDuringStop(listener)
    expect(answer).toBe(await callDuringStop(app))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/)
    expect(answer).toMatch(/^connection: close\r$/im)
  })
})

describe('a call that the engine fails', () => {
  const engineOf = (error: Error): IngestionOptions['engine'] => ({
    authenticate: (writeKey) => ({
      ok: true,
      source: { workspaceId: 'w', sourceId: 's', writeKey, enabled: true, destinationIds: [] },
    }),
    sourceOf: () => undefined,
    workspaces: [],
    refuse: async () => {},
    inTurn: async (_, work) => work(),
    ingest: () => Promise.reject(error),
  })

  it('is answered and reported as by the app, and not made again', async () => {
    for (const [error, status] of [
      [new Error('broken'), 500],
      [new StoreFullError('the disk is full'), 503],
      [new UnknownOutcomeError('no answer'), 503],
    ] as const) {
      const reported: unknown[] = []
      const area = createIngestionArea({ engine: engineOf(error) })
      const served = serveRoutes([area], { onError: (each) => reported.push(each) })
      const answers: string[] = []
      for (const { takeFromNode } of [area.fetch, served.fetch as NodeFetch]) {
        const fetch: FetchArea['fetch'] = (request, env) => served.fetch(request, env)
        const server = createServer(toNodeListener({ fetch: Object.assign(fetch, { takeFromNode }) })).listen(
          0,
          '127.0.0.1',
        )
        await once(server, 'listening')
        const close = callOf('POST /v1/track HTTP/1.1', [...common, 'Connection: close'])
        answers.push(await exchange((server.address() as AddressInfo).port, close, 1, ''))
        server.close()
      }
      expect(answers[0]).toBe(answers[1])
      expect(answers[0]).toContain(`HTTP/1.1 ${status} `)
      expect(reported).toEqual(error instanceof StoreFullError ? [] : [error, error])
    }
  })
})

describe('a function in front of `fetch`', () => {
  it('sees every call: none goes past it', async () => {
    const sluice = await createSluice({ workspace: shop('http://hook.test/') })
    const fetch = () => new Response('not for you', { status: 403 })
    for (const handler of [{ fetch }, { ...sluice, fetch }, { ...sluice.areas.ingestion, fetch }]) {
      const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const close = callOf('POST /v1/track HTTP/1.1', [...common, 'Connection: close'])
      expect(await exchange((server.address() as AddressInfo).port, close, 1, '')).toMatch(/^HTTP\/1\.1 403 /)
      server.close()
    }
    await sluice.stop()
  })
})
