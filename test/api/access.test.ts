import { createManualClock, createSeededRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { documented } from '../support/http/documented.ts'
import { shop } from '../support/scenes/shop.ts'

let store: Store
let sluice: Sluice
let api: ApiClient
const warned: unknown[] = []

beforeAll(async () => {
  store = createMemoryStore({ clock: createManualClock(), random: createSeededRandom(1) })
  const scopes = ['read', 'write', 'operate'] as const
  const accessTokens = [
    { name: 'all', token: hashOf('all') },
    ...scopes.map((scope) => ({ name: scope, token: hashOf(scope), scopes: [scope] })),
    { name: 'both', token: hashOf('both'), scopes: ['write' as const, 'operate' as const] },
  ]
  const headers = [{ from: "'literal-token'", to: 'X-Api' }]
  const http = { id: 'http', type: 'HTTP' as const, settings: { apiUrl: 'http://a.test/', headers } }
  const shopA = shop('http://a.test/')
  const a = { ...shopA, id: 'a', accessTokens, destinations: [...shopA.destinations, http] }
  const b = {
    ...shop('http://b.test/', { sources: [{ id: 'web', writeKey: 'b-key' }] }),
    id: 'b',
    accessTokens: [{ name: 'b', token: hashOf('token-b') }],
  }
  sluice = await createSluice({
    workspace: { workspaces: [a, b] },
    store,
    sandbox: { mode: 'in-process' },
    admin: { user: 'admin', password: 'right' },
    logger: { info: () => {}, debug: () => {}, warn: (...line) => warned.push(line), error: () => {} },
  })
  api = await createApiClient(sluice, 'Bearer all')
})
afterAll(() => sluice.stop())

const code = 'export const transformEvent = (e) => e'

describe('an access token', () => {
  it('opens every area it belongs to, as Bearer token and as Basic password of any user name', async () => {
    for (const authorization of ['Bearer all', basic('ada@mail.test', 'all'), basic('', 'all')])
      for (const path of ['/transformations', '/libraries', '/v2/sources', '/v2/destinations'])
        expect([path, (await api.as(authorization).get(path)).status]).toEqual([path, 200])
  })

  it('is required wherever the document says so, with a challenge in the response', async () => {
    const { document, fetch } = await documented(sluice)
    const guarded = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, operation]) => JSON.stringify(operation).includes('"bearer"'))
        .map(([method]) => ({ path: path.replaceAll(/\{\w+\}/g, 'x'), method: method.toUpperCase() })),
    )
    expect(guarded.length).toBeGreaterThanOrEqual(18)
    for (const { path, method } of guarded)
      for (const authorization of [
        undefined,
        'Bearer wrong',
        'Bearer ',
        basic('all', ''),
        basic('all', 'all '),
        'Digest x',
      ]) {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
        const answer = await fetch(new Request(`http://sluice.test${path}`, { method, headers }))
        expect([path, authorization, answer.status]).toEqual([path, authorization, 401])
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
        expect(await answer.json()).toMatchObject({
          message: expect.stringContaining('access token'),
          code: 'unauthorized',
        })
      }
  })

  it('is refused where a page of another origin changes something with what its browser knows', async () => {
    const { fetch } = await documented(sluice)
    const send = async (headers: Readonly<Record<string, string>>) =>
      (
        await fetch(
          new Request('http://sluice.test/v2/regulations', {
            method: 'POST',
            headers: { authorization: 'Bearer all', ...headers },
          }),
        )
      ).status
    const foreigners: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://sluice.test' },
      { origin: 'http://evil.test' },
      { origin: 'http://sluice.test.evil.test' },
      { origin: 'http://sluice.test:8080' },
      { origin: 'null' },
    ]
    for (const foreign of foreigners) expect([foreign, await send(foreign)]).toEqual([foreign, 403])
    const owners: readonly Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.test' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://sluice.test', host: 'sluice.test' },
      { origin: 'https://public.test', 'x-forwarded-host': 'public.test' },
    ]
    for (const own of owners) expect([own, await send(own)]).not.toEqual([own, 403])
  })

  it('asks browsers for a Bearer token only, because they would send Basic credentials for any page', async () => {
    const { fetch } = await documented(sluice)
    const browsers: readonly Record<string, string>[] = [
      { accept: 'text/html,*/*' },
      { 'sec-fetch-mode': 'navigate' },
      { origin: 'http://x.test' },
    ]
    for (const headers of browsers) {
      const { status, headers: answered } = await fetch(new Request('http://sluice.test/v2/sources', { headers }))
      expect([status, answered.get('www-authenticate')]).toEqual([401, 'Bearer realm="sluice"'])
    }
  })

  it('shows and changes nothing of another workspace', async () => {
    const other = api.as('Bearer token-b')
    const { body } = await api.post('/transformations', { name: 'T', code, publish: true, destinationIds: ['hook'] })
    expect((await other.get('/transformations')).body).toEqual({ transformations: [] })
    const path = `/transformations/${body.id}`
    const versions = { transformations: [{ versionId: body.versionId }] }
    const answers = [
      other.get(path),
      other.get(`${path}/versions`),
      other.get(`${path}/versions/${body.versionId}`),
      other.post(path, { name: 'mine now' }),
      other.post('/transformations/libraries/publish', versions),
      other.post('/transformations/libraries/test', versions),
      other.delete(path),
    ]
    for (const { status } of await Promise.all(answers)) expect(status).toBe(404)
    expect((await api.get(path)).body).toEqual(body)
    const mine = await other.post('/transformations', { name: 'T', code, publish: true, destinationIds: ['hook'] })
    expect(mine).toMatchObject({ status: 200, body: { workspaceId: 'b' } })
    await api.delete(path)
  })

  it('that may create and cancel regulations may also read their deletions, whatever its scopes', async () => {
    const combinations = ['read', 'write', 'operate', 'both', 'all']
    const mayOf = async (token: string) => {
      const as = api.as(`Bearer ${token}`)
      const body = { regulationType: 'suppress_with_delete', users: [{ userId: 'reported' }] }
      const [created, cancelled, report] = await Promise.all([
        as.post('/v2/regulations', body),
        as.delete('/v2/regulations/none'),
        as.get('/v2/regulations/none/deletions'),
      ])
      return [created, cancelled, report].map(({ status }) => status !== 403)
    }
    const may = Object.fromEntries(await Promise.all(combinations.map(async (each) => [each, await mayOf(each)])))
    expect(may).toEqual({
      read: [false, false, false],
      write: [false, false, false],
      operate: [false, false, true],
      both: [true, true, true],
      all: [true, true, true],
    })
  })

  it('may do what its scopes allow, and the refusal names the missing scope', async () => {
    const { body: record } = await api.post('/transformations', { name: 'T', code })
    const versions = { transformations: [{ versionId: record.versionId }] }
    const path = `/transformations/${record.id}`
    const rows: readonly (readonly [string, string, object | undefined, readonly string[]])[] = [
      ['GET', '/transformations', undefined, ['read']],
      ['GET', path, undefined, ['read']],
      ['GET', '/v2/destinations', undefined, ['read']],
      ['POST', '/transformations', { name: 'T' }, ['write', 'both']],
      ['POST', '/libraries', { name: 'L' }, ['write', 'both']],
      ['POST', path, { description: 'x' }, ['write', 'both']],
      ['POST', '/transformations?publish=true', { name: 'T', code }, ['both']],
      ['POST', path, { publish: true }, ['both']],
      ['POST', '/transformations/libraries/publish', versions, ['operate', 'both']],
      ['POST', '/transformations/libraries/test', versions, ['operate', 'both']],
      ['DELETE', path, undefined, ['both']],
      ['POST', '/v2/regulations', { regulationType: 'suppress', users: [{ userId: 'u' }] }, ['both']],
      ['POST', '/v2/regulations', { regulationType: 'suppress_with_delete', users: [{ userId: 'v' }] }, ['both']],
      ['DELETE', '/v2/regulations/none', undefined, ['both']],
      ['GET', '/v2/regulations/none/deletions', undefined, ['operate', 'both']],
    ]
    for (const [method, at, body, allowed] of rows)
      for (const token of ['read', 'write', 'operate', 'both']) {
        const client = api.as(`Bearer ${token}`)
        const calls = { GET: () => client.get(at), POST: () => client.post(at, body), DELETE: () => client.delete(at) }
        const answer = await calls[method as keyof typeof calls]()
        const isRefused = answer.status === 403
        expect([method, at, token, isRefused]).toEqual([method, at, token, !allowed.includes(token)])
        if (isRefused)
          expect(answer.body).toMatchObject({ code: 'scopeMissing', message: expect.stringMatching(/scope \w+/) })
        // The libraries created in this loop have the same name.
        else if (!/libraries$|^\/v2\/reg/.test(at)) expect(answer.status).toBe(200)
      }
  })

  it('shows write keys only with the scope write, and header values never', async () => {
    const keys = async (token: string) => (await api.as(`Bearer ${token}`).get('/v2/sources')).text
    expect(await keys('read')).not.toContain('web-key')
    expect(await keys('read')).toContain('••••••')
    expect(await keys('all')).toContain('web-key')
    for (const token of ['read', 'all']) {
      const { text } = await api.as(`Bearer ${token}`).get('/v2/destinations')
      expect(text).toContain('X-Api')
      expect(text).not.toContain('literal-token')
    }
  })

  it('is written to the audit log with the user name of the request, for every request that changes something', async () => {
    const client = api.as(basic(`ada\u0000é@mail.test${'x'.repeat(500)}`, 'all'))
    await client.get('/transformations')
    await client.post('/transformations', { name: 'T' })
    await client.post('/libraries/none?publish=false', {})
    await api.as('Bearer read').post('/libraries', { name: 'L' })
    const user = expect.stringMatching(/^ada\0é@mail\.testx+$/)
    expect(await store.audit.list('a', 3)).toEqual([
      {
        id: expect.any(Number),
        workspaceId: 'a',
        token: 'read',
        user: '',
        method: 'POST',
        path: '/libraries',
        status: 403,
        at: expect.any(Number),
      },
      {
        id: expect.any(Number),
        workspaceId: 'a',
        token: 'all',
        user,
        method: 'POST',
        path: '/libraries/none',
        status: 404,
        at: expect.any(Number),
      },
      {
        id: expect.any(Number),
        workspaceId: 'a',
        token: 'all',
        user,
        method: 'POST',
        path: '/transformations',
        status: 200,
        at: expect.any(Number),
      },
    ])
    expect((await store.audit.list('a', 3))[1]?.user).toHaveLength(200)
  })
})

describe('guessing', () => {
  const ask = (path: string, authorization: string, remoteAddress: string) =>
    sluice.fetch(new Request(`http://sluice.test${path}`, { headers: { authorization } }), {
      incoming: { socket: { remoteAddress } },
    })

  it('of passwords and tokens is slowed down in all areas together, is logged without the guesses, and shuts out none who has the right one', async () => {
    const paths = ['/schemas/event-models', '/v1/backup', '/metrics', '/v2/sources']
    for (let i = 0; i < 12; i += 1) {
      const path = paths[i % paths.length] ?? ''
      const { status } = await ask(path, basic('admin', `guess-${i}`), '203.0.113.5')
      expect([path, status]).toEqual([path, path.startsWith('/schemas') ? 400 : i >= 10 ? 429 : 401])
    }
    const wrong = await ask('/v2/sources', basic('admin', 'guess-12'), '203.0.113.5')
    expect([wrong.status, wrong.headers.get('retry-after')]).toEqual([429, '4'])
    for (const address of ['203.0.113.5', '198.51.100.9'])
      for (const path of paths)
        expect([
          path,
          (await ask(path, basic('admin', path === '/v2/sources' ? 'all' : 'right'), address)).status,
        ]).toEqual([path, path === '/v1/backup' ? 501 : 200])
    expect((await ask('/v2/sources', 'Bearer all', '203.0.113.5')).status).toBe(200)
    expect(JSON.stringify(warned)).toContain('203.0.113.5')
    expect(JSON.stringify(warned)).not.toContain('guess-')
  })
})

describe('every response', () => {
  it('is kept out of caches, and has the content type that it declares', async () => {
    const { document } = await documented(sluice)
    const asked = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).flatMap((method) =>
        ['Bearer all', basic('admin', 'right'), 'Bearer wrong', ''].map((authorization) => ({
          path,
          method,
          authorization,
        })),
      ),
    )
    const others = ['/nowhere', '/v1/track', '/schemas/event-model//metadata'].map((path) => ({
      path,
      method: 'get',
      authorization: '',
    }))
    for (const { path, method, authorization } of [...asked, ...others]) {
      const stop = new AbortController()
      const request = new Request(`http://sluice.test${path.replaceAll(/\{\w+\}/g, 'x')}`, {
        method: method.toUpperCase(),
        headers: { ...(authorization === '' ? {} : { authorization }), origin: 'http://page.test' },
        signal: stop.signal,
      })
      const { headers } = await sluice.fetch(request)
      stop.abort()
      const found = [headers.get('cache-control'), headers.get('x-content-type-options')]
      expect([method, path, authorization, ...found]).toEqual([method, path, authorization, 'no-store', 'nosniff'])
    }
  })
})

describe('a request that no area answers', () => {
  it('gets an error like any other: an unknown path, and an internal failure without its reason', async () => {
    expect(await api.get('/nowhere')).toMatchObject({
      status: 404,
      body: { code: 'notFound', message: expect.stringContaining('/nowhere') },
    })
    const errors: unknown[] = []
    const stopped = await createSluice({
      workspace: shop('http://x.test/', { accessTokens: [{ name: 'ci', token: hashOf('token') }] }),
      sandbox: { mode: 'in-process' },
      onError: (error) => errors.push(error),
    })
    const client = await createApiClient(stopped, 'Bearer token')
    await stopped.stop()
    expect(await client.get('/transformations')).toMatchObject({
      status: 500,
      body: { code: 'internal', message: 'internal error' },
    })
    expect(errors).toHaveLength(1)
  })
})
