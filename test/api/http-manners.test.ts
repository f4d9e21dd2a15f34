import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic, hashOf } from '../support/http/api-client.ts'
import type { Document } from '../support/http/documented.ts'
import { shop } from '../support/scenes/shop.ts'

const admin = { user: 'admin', password: 'secret' }
let sluice: Sluice
/** What each port says that it serves. */
let documents: readonly Document[]
const servers: Server[] = []
/** The ports of `sluice serve --governance-port`: the main one and the one of the Data Governance API. */
const ports: number[] = []

beforeAll(async () => {
  sluice = await createSluice({
    workspace: { ...shop('http://hook.test/'), accessTokens: [{ name: 'all', token: hashOf('all') }] },
    admin,
    governanceApart: true,
    sandbox: { mode: 'in-process' },
  })
  for (const handler of [sluice, sluice.areas.governance ?? sluice]) {
    const server = createServer(toNodeListener(handler))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    ports.push((server.address() as AddressInfo).port)
  }
  documents = await Promise.all(
    ports.map(async (port) => (await (await send('/openapi.json', {}, port)).json()) as Document),
  )
})
afterAll(async () => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
  await sluice.stop()
})

const isGovernance = (path: string): boolean => path.startsWith('/schemas') || path.startsWith('/v1/backup')
const send = (path: string, init: RequestInit = {}, port = ports[isGovernance(path) ? 1 : 0]): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, init)
const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  send(path, { method: 'POST', body, headers: { authorization: 'Bearer all', ...headers } })
const ingest = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  post('/v1/track', body, { authorization: basic('web-key', ''), ...headers })

/** Every path of both documents, with its methods. */
const paths = (): readonly { readonly path: string; readonly methods: readonly string[] }[] =>
  documents
    .flatMap(({ paths: patterns }) => Object.entries(patterns))
    .map(([pattern, operations]) => ({
      path: pattern.replaceAll(/\{\w+\}/g, 'x'),
      methods: Object.keys(operations).map((method) => method.toUpperCase()),
    }))
const allowOf = (methods: readonly string[]) => [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']

function expectSafe(response: Response): void {
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
}

describe('every path of the document', () => {
  it('answers a method that it does not have with 405 and lists those it has, without credentials', async () => {
    expect(paths().length).toBeGreaterThan(40)
    for (const { path, methods } of paths())
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods.includes(each))) {
        const response = await send(path, { method })
        expect([method, path, response.status]).toEqual([method, path, 405])
        expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(allowOf(methods).toSorted())
        expectSafe(response)
        await response.body?.cancel()
      }
  }, 20_000)

  it('answers OPTIONS with the methods it has, with and without a slash at the end', async () => {
    for (const { path, methods } of paths())
      for (const each of [path, `${path}/`]) {
        const response = await send(each, { method: 'OPTIONS' })
        expect([each, response.status]).toEqual([each, 204])
        const allowed = response.headers.get('allow')?.split(', ') ?? []
        expect([each, allowed.toSorted()]).toEqual([each, allowOf(methods).toSorted()])
        expectSafe(response)
      }
  })

  it('gives the same answer with a slash at its end', async () => {
    for (const { path, methods } of paths().filter(({ methods }) => methods.includes('GET'))) {
      if (path === '/v1/backup') continue // it streams
      const [plain, slashed] = await Promise.all([send(path), send(`${path}/`)])
      expect([path, methods, slashed.status]).toEqual([path, methods, plain.status])
      for (const response of [plain, slashed]) {
        expectSafe(response)
        await response.body?.cancel()
      }
    }
    const event = JSON.stringify({ userId: 'u', event: 'E' })
    const headers = { authorization: basic('web-key', '') }
    expect((await send('/v1/track/', { method: 'POST', body: event, headers })).status).toBe(200)
  })
})

describe('the document of a port', () => {
  it('has what this port serves, and nothing else', () => {
    const [main = {}, governance = {}] = documents.map((document) => document.paths)
    expect(Object.keys(main).filter(isGovernance)).toEqual([])
    expect(Object.keys(governance).filter((path) => !isGovernance(path))).toEqual([
      '/',
      '/docs/errors',
      '/docs/errors/{code}',
      '/openapi.json',
      '/openapi',
    ])
    expect(Object.keys(governance)).toEqual(expect.arrayContaining(['/schemas/event-models', '/v1/backup']))
  })
})

describe('GET /', () => {
  it('says what answers, and where to go on: JSON for programs, a page for people', async () => {
    for (const port of ports) {
      const said = await (await send('/', {}, port)).json()
      expect(said).toEqual({
        name: 'Sluice',
        version: expect.stringMatching(/^\d/),
        openapi: '/openapi.json',
        documentation: expect.stringContaining('packages/docs'),
      })
      const page = await send('/', { headers: { accept: 'text/html,*/*' } }, port)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
      expect(await page.text()).toMatch(
        /<h1>Sluice [\s\S]+href="openapi"[\s\S]+href="openapi.json"[\s\S]+packages\/docs/,
      )
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    }
  })
})

describe('GET /openapi', () => {
  it('shows people the routes of its port, and what each takes and answers', async () => {
    const [main = '', governance = ''] = await Promise.all(
      ports.map(async (port) => (await send('/openapi', {}, port)).text()),
    )
    expect(main).toContain('<code>POST /v1/track</code>')
    expect(governance).not.toContain('<code>POST /v1/track</code>')
    expect(governance).toContain('<code>GET /schemas/event-models</code>')
  })
})

describe('a path that does not exist', () => {
  it('gives one shape of answer on every port, for every method', async () => {
    for (const port of ports)
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const response = await send('/nowhere', { method }, port)
        expect(response.status).toBe(404)
        const message = `there is nothing at ${method} /nowhere; GET /openapi.json lists all routes`
        expect(await response.json()).toEqual({
          message,
          error: message,
          code: 'notFound',
          docs: '/docs/errors/notFound',
        })
        expectSafe(response)
      }
    const [, governance] = ports
    const unknown = await send('/schemas/nowhere', { headers: { authorization: basic('admin', 'secret') } }, governance)
    expect([unknown.status, await unknown.json()]).toEqual([404, expect.objectContaining({ code: 'notFound' })])
    const health = await send('/health', {}, governance)
    expect([health.status, await health.json()]).toEqual([404, expect.objectContaining({ code: 'notFound' })])
  })
})

describe('a body', () => {
  const name = '{"name":"T"}'
  const event = '{"userId":"u","event":"E"}'

  it('that is not JSON and of another type is refused with 415', async () => {
    for (const type of ['application/xml', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']) {
      const refused = await post('/transformations', '<a>1</a>', { 'content-type': type })
      expect([type, refused.status]).toEqual([type, 415])
      expect(await refused.json()).toMatchObject({
        code: 'bodyTypeUnsupported',
        message: expect.stringContaining(JSON.stringify(type)),
      })
      const sent = await ingest('<a>1</a>', { 'content-type': type })
      expect([sent.status, await sent.text()]).toEqual([415, 'content type is not json\n'])
    }
  })

  it('that is not JSON, although its type says so or does not tell, is refused with 400', async () => {
    for (const type of ['application/json', 'application/vnd.api+json; charset=utf-8', 'text/plain'])
      expect([type, (await post('/transformations', '<a>', { 'content-type': type })).status]).toEqual([type, 400])
  })

  it('that begins as JSON and is malformed is refused with 400 whatever its type: curl without a header sends a form', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'application/octet-stream', 'application/xml'])
      for (const body of ['{"name":"T"', ' \n[{"name":', '\uFEFF{']) {
        const headers = { 'content-type': type }
        const refused = await post('/transformations', body, headers)
        expect([type, body, refused.status]).toEqual([type, body, 400])
        expect(await refused.json()).toMatchObject({ code: 'bodyInvalidJson' })
        expect((await ingest(body, headers)).status).toBe(400)
      }
  })

  it('that is JSON is accepted whatever its type: senders mislabel it', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])
      expect([type, (await post('/transformations', name, { 'content-type': type })).status]).toEqual([type, 200])
  })

  it('is decoded: gzip, deflate with and without its header, and br', async () => {
    const encodings: readonly (readonly [string, (bytes: Buffer<ArrayBuffer>) => Buffer<ArrayBuffer>])[] = [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
      [' BR ', brotliCompressSync],
      ['identity', (bytes) => bytes],
    ]
    for (const [encoding, encode] of encodings) {
      const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
      const answers = [
        post('/transformations', encode(Buffer.from(name)), headers),
        ingest(encode(Buffer.from(event)), headers),
      ]
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect([encoding, ...statuses]).toEqual([encoding, 200, 200])
    }
  })

  it('in another encoding is refused with 415, and one that is not encoded as it says with 400', async () => {
    const zstd = await post('/transformations', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), { 'content-encoding': 'zstd' })
    expect([zstd.status, await zstd.json()]).toMatchObject([
      415,
      { code: 'bodyEncodingUnsupported', message: expect.stringContaining('gzip, deflate, br') },
    ])
    expect((await ingest(Buffer.from([0x28, 0xb5]), { 'content-encoding': 'zstd' })).status).toBe(415)
    for (const encoding of ['br', 'deflate']) {
      const broken = await post('/transformations', name, { 'content-encoding': encoding })
      expect([broken.status, await broken.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'bodyInvalidEncoding' }),
      ])
    }
  })

  it('that inflates to far more than its size is refused, whatever its encoding', async () => {
    const large = Buffer.from(JSON.stringify({ name: 'x'.repeat(2_000_000) }))
    for (const [encoding, bytes] of [
      ['br', brotliCompressSync(large)],
      ['deflate', deflateSync(large)],
    ] as const) {
      const refused = await post('/transformations', bytes, { 'content-encoding': encoding })
      expect([refused.status, await refused.json()]).toMatchObject([
        413,
        { code: 'bodyTooLarge', message: expect.stringContaining(`${encoding} inflates to more than 200 times`) },
      ])
    }
  })

  it('may begin with a byte order mark', async () => {
    expect((await post('/transformations', `\ufeff${name}`)).status).toBe(200)
    expect((await ingest(`\ufeff${event}`)).status).toBe(200)
  })
})

describe('browsers', () => {
  const origin = 'https://docs.example'

  it('may read the OpenAPI document from any page', async () => {
    const response = await send('/openapi.json', { headers: { origin } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await send('/openapi.json', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expectSafe(preflight)
  })

  it('may read no other API from a page', async () => {
    for (const path of ['/transformations', '/v2/regulations', '/health', '/schemas/event-models']) {
      const headers = { origin, 'access-control-request-method': 'GET' }
      const preflight = await send(path, { method: 'OPTIONS', headers })
      expect([path, preflight.headers.get('access-control-allow-origin')]).toEqual([path, null])
    }
  })
})

/** Sends bytes as they are and returns everything that is answered. */
function exchange(text: string, port = ports[0] ?? 0): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(text))
    let answer = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

describe('a health check', () => {
  it('of HTTP/1.0 works without naming a host', async () => {
    for (const line of ['GET /health HTTP/1.0', 'GET /health/ HTTP/1.0', 'HEAD /health HTTP/1.0'])
      expect([line, (await exchange(`${line}\r\n\r\n`)).split('\r\n', 1)[0]]).toEqual([line, 'HTTP/1.1 200 OK'])
  })
})

describe('a request that no handler can read', () => {
  it('is refused in the same shape, and with the same headers', async () => {
    for (const host of ['a b', '%E4%B8%80'.repeat(30)]) {
      const answer = await exchange(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toMatch(/cache-control: no-store/i)
      expect(answer).toContain('"code":"requestInvalid"')
    }
  })

  it('is refused with 405 when its method is unusual', async () => {
    for (const method of ['TRACE', 'PROPFIND'])
      expect(await exchange(`${method} /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 405 [\s\S]*allow: GET, HEAD, OPTIONS/i,
      )
  })
})
