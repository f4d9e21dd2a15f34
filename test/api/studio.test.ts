import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { readStudioFiles } from '@sluice/studio'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'

const page = { 'x-sluice-studio': '1', 'sec-fetch-site': 'same-origin' }
const accessTokens = [
  { name: 'reader', token: hashOf('reader-token'), scopes: ['read' as const] },
  { name: 'all', token: hashOf('all-token') },
]

let clock: ManualClock
let store: Store
let sluice: Sluice
beforeEach(async () => {
  clock = createManualClock(1_000_000)
  store = createMemoryStore({ clock, random: createSeededRandom(1) })
  sluice = await createSluice({
    store,
    workspace: { workspaces: [workspace('one', accessTokens), workspace('two', [])] },
    studio: readStudioFiles(),
    clock,
  })
})
afterEach(() => sluice.stop(0))

function workspace(id: string, tokens: typeof accessTokens) {
  return {
    id,
    sources: [{ id: 's', writeKey: `key-${id}` }],
    destinations: [],
    connections: [],
    accessTokens: tokens,
  }
}

interface Operation {
  readonly tags: readonly string[]
}

type Headers = Readonly<Record<string, string>>
const ask = (path: string, headers: Headers = page, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(sluice.fetch(new Request(`http://sluice.test${path}`, { ...init, headers })))
const post = (body: object, headers: Headers = page, origin = 'http://sluice.test'): Promise<Response> => {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { ...headers, 'content-length': '100' } }
  return Promise.resolve(sluice.fetch(new Request(`${origin}/studio/session`, init)))
}
const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
async function signIn(body: object): Promise<Headers> {
  const response = await post(body)
  expect(response.status).toBe(200)
  const headers = { ...page, cookie: cookieOf(response) }
  // The answer to a login says who is signed in, as the session itself does.
  expect(await response.json()).toEqual(await (await ask('/studio/session', headers)).json())
  return headers
}

/** Returns the status of a login that fails, and the code of its error. */
async function refusalOf(body: object): Promise<readonly unknown[]> {
  const response = await post(body)
  return [response.status, Object(await response.json()).code]
}

describe('a session of the studio', () => {
  it('begins with a token, has its scopes, and is accepted by all routes for tokens and for operators', async () => {
    const all = await signIn({ token: 'all-token' })
    expect(await (await ask('/studio/session', all)).json()).toMatchObject({
      kind: 'token',
      name: 'all',
      workspace: { id: 'one' },
      workspaces: [{ id: 'one' }],
      endsAt: new Date(1_000_000 + 12 * 3_600_000).toISOString(),
    })
    for (const path of ['/v2/sources', '/v1/stats', '/v1/history'])
      expect((await ask(path, all)).status, path).toBe(200)
    const reader = await signIn({ token: 'reader-token' })
    expect((await ask('/v2/sources', reader)).status).toBe(200)
    expect((await ask('/v1/stats', reader)).status).toBe(403)
  })

  it('ends when another one begins in the same browser', async () => {
    const old = await signIn({ code: await sluice.issueStudioCode?.() })
    const response = await post({ token: 'all-token' }, old)
    expect(response.status).toBe(200)
    expect((await ask('/studio/session', old)).status).toBe(401)
    expect((await ask('/studio/session', { ...page, cookie: cookieOf(response) })).status).toBe(200)
  })

  it('is ended by no number of sessions of another workspace', async () => {
    const operator = await signIn({ code: await sluice.issueStudioCode?.() })
    const code = await sluice.issueStudioCode?.()
    const first = await signIn({ token: 'all-token' })
    for (let n = 0; n < 110; n += 1) {
      clock.advance(1)
      await post({ token: 'reader-token' })
    }
    expect((await ask('/studio/session', first)).status).toBe(401)
    expect((await ask('/studio/session', operator)).status).toBe(200)
    await signIn({ code })
  })

  it('begins with a code, once and for ten minutes, may do everything, and may switch the workspace', async () => {
    const code = await sluice.issueStudioCode?.()
    const operator = await signIn({ code })
    expect(await (await ask('/studio/session', operator)).json()).toMatchObject({
      kind: 'operator',
      scopes: ['read', 'write', 'operate', 'admin'],
      workspaces: [{ id: 'one' }, { id: 'two' }],
    })
    expect(await refusalOf({ code })).toEqual([401, 'studioLinkUsed'])
    expect(await refusalOf({ code })).toEqual([401, 'studioLinkUsed'])
    const switched = await post({ workspaceId: 'two' }, operator)
    const two = { ...page, cookie: cookieOf(switched) }
    expect(await (await ask('/studio/session', two)).json()).toMatchObject({ workspace: { id: 'two' } })
    expect((await ask('/v2/sources', operator)).status).toBe(401)
    const late = await sluice.issueStudioCode?.()
    clock.advance(10 * 60_000)
    expect(await refusalOf({ code: late })).toEqual([401, 'studioLinkExpired'])
    expect(await refusalOf({ code: 'never-issued' })).toEqual([401, 'unauthorized'])
    clock.advance(24 * 3_600_000)
    for (const old of [code, late]) expect(await refusalOf({ code: old })).toEqual([401, 'unauthorized'])
  })

  it('is in the store without anything that opens it', async () => {
    const stored: string[] = []
    const { sessions } = store
    const put = sessions.put.bind(sessions)
    sessions.put = async (key, session) => {
      stored.push(key, session.text)
      await put(key, session)
    }
    const code = await sluice.issueStudioCode?.()
    const { cookie = '' } = await signIn({ code })
    const byToken = await signIn({ token: 'all-token' })
    // The code when it is issued and when it is used, and two sessions.
    expect(stored).toHaveLength(8)
    for (const secret of [
      code ?? '',
      cookie.split('=')[1] ?? '',
      byToken['cookie']?.split('=')[1] ?? '',
      'all-token',
    ]) {
      expect(secret.length).toBeGreaterThan(8)
      expect(stored.join('\n')).not.toContain(secret)
    }
  })

  it('cannot be switched by a session of a token', async () => {
    const reader = await signIn({ token: 'reader-token' })
    expect((await post({ workspaceId: 'two' }, reader)).status).toBe(401)
  })

  it('has a cookie that scripts cannot read, which other sites do not send, and which needs TLS where there is TLS', async () => {
    const attributes = async (origin: string) =>
      ((await post({ token: 'all-token' }, page, origin)).headers.get('set-cookie') ?? '').split('; ').slice(1)
    expect(await attributes('http://sluice.test')).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict', 'Max-Age=43200'])
    expect(await attributes('https://sluice.test')).toContain('Secure')
    const behindProxy = await post({ token: 'all-token' }, { ...page, 'x-forwarded-proto': 'https' })
    expect(behindProxy.headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  it('is of no use to another page: without the header, or from another site', async () => {
    const { cookie = '' } = await signIn({ token: 'all-token' })
    const others: readonly Headers[] = [
      { cookie },
      { cookie, 'x-sluice-studio': '1', 'sec-fetch-site': 'cross-site' },
      { cookie, 'x-sluice-studio': '1', 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of others) {
      expect((await ask('/v2/sources', headers)).status).toBe(401)
      expect((await ask('/v1/stats', headers)).status).toBe(401)
      expect((await post({ token: 'all-token' }, headers)).status).toBe(headers['sec-fetch-site'] ? 403 : 401)
    }
  })

  it('is neither begun nor ended by a page of another origin, nor is anything else changed by one', async () => {
    const own = await signIn({ token: 'all-token' })
    const { paths } = (await (await ask('/openapi.json')).json()) as {
      paths: Record<string, Record<string, Operation>>
    }
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { tags }]) => method !== 'get' && !tags.includes('Ingestion'))
        .map(([method]) => ({ method, path })),
    )
    expect(changing).toContainEqual({ method: 'delete', path: '/studio/session' })
    const foreigners: readonly Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.test' },
    ]
    for (const { method, path } of changing)
      for (const foreign of foreigners) {
        const { 'sec-fetch-site': _, ...rest } = own
        const answered = await ask(path, { ...rest, ...foreign }, { method: method.toUpperCase() })
        expect([method, path, answered.status, answered.headers.get('set-cookie')]).toEqual([method, path, 403, null])
        expect(await answered.json()).toMatchObject({ code: 'originForeign' })
      }
    expect((await ask('/v2/sources', own)).status).toBe(200)
  })

  it('ends after twelve hours, when one signs out, and when its token is revoked', async () => {
    const out = await signIn({ token: 'all-token' })
    expect((await ask('/studio/session', out, { method: 'DELETE' })).status).toBe(204)
    expect((await ask('/v2/sources', out)).status).toBe(401)
    const old = await signIn({ token: 'all-token' })
    clock.advance(12 * 3_600_000)
    expect((await ask('/v2/sources', old)).status).toBe(401)
    const revoked = await signIn({ token: 'all-token' })
    await sluice.updateWorkspace({ workspaces: [workspace('one', accessTokens.slice(0, 1)), workspace('two', [])] })
    expect((await ask('/v2/sources', revoked)).status).toBe(401)
  })

  it('does not make the browser ask for a password, as other answers do', async () => {
    expect((await ask('/v2/sources', page)).headers.get('www-authenticate')).toBeNull()
    expect((await ask('/v2/sources', {})).headers.get('www-authenticate')).toContain('Basic')
  })

  it('is audited by the name of its token, or as the studio', async () => {
    for (const login of [{ token: 'all-token' }, { code: await sluice.issueStudioCode?.() }])
      await ask('/v2/dead-letters/remove', await signIn(login), { method: 'POST', body: '{}' })
    const entries = await store.audit.list('one', 10)
    expect(entries.map(({ token, path }) => [token, path])).toEqual([
      ['studio', '/v2/dead-letters/remove'],
      ['all', '/v2/dead-letters/remove'],
    ])
  })
})

describe('the files of the studio', () => {
  it('are the page for every view, with a policy of its own and a nonce that is never the same', async () => {
    const views = await Promise.all(['/studio', '/studio/', '/studio/live/some-id'].map((path) => ask(path, {})))
    const policies = views.map(({ headers }) => headers.get('content-security-policy') ?? '')
    for (const [n, response] of views.entries()) {
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.text()).toContain(/'nonce-([^']+)'/.exec(policies[n] ?? '')?.[1] ?? 'none')
      expect(policies[n]).toMatch(/default-src 'none'; script-src 'self'; .*frame-ancestors 'none'/)
      expect(policies[n]).not.toMatch(/unsafe/)
    }
    expect(new Set(policies).size).toBe(3)
  })

  it('may be kept by browsers where their names have a hash, and are compressed', async () => {
    const text = await (await ask('/studio/', {})).text()
    const [, script = ''] = /src="([^"]+\.js)"/.exec(text) ?? []
    const file = await ask(script, { 'accept-encoding': 'gzip' })
    expect(file.status).toBe(200)
    expect(file.headers.get('cache-control')).toContain('immutable')
    expect(file.headers.get('content-encoding')).toBe('gzip')
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('are only those of the page', async () => {
    for (const path of [
      'assets/none.js',
      'assets/../../../package.json',
      'assets/%2e%2e/%2e%2e/index.js',
      'assets/..%2f..%2findex.js',
    ])
      expect((await ask(`/studio/${path}`, {})).status, path).toBe(404)
  })

  it('are not there unless the program passes them', async () => {
    const without = await createSluice({ workspace: workspace('one', []) })
    const response = await without.fetch(new Request('http://sluice.test/studio/'))
    expect(response.status).toBe(404)
    await without.stop(0)
  })
})
