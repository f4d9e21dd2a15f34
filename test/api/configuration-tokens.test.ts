import { createManualClock, createSeededRandom, systemClock } from '@sluice/core'
import { createMemoryStore } from '@sluice/storage'
import type { Sluice, WorkspaceDefinition } from 'sluice'
import { describe, expect, it } from 'vitest'
import { type ApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces()

const file = {
  id: 'shop',
  accessTokens: [
    { name: 'root', token: hashOf('root'), scopes: ['read', 'write', 'operate', 'admin'] as const },
    { name: 'usual', token: hashOf('usual') },
    { name: 'reader', token: hashOf('reader'), scopes: ['read'] as const },
    { name: 'writer', token: hashOf('writer'), scopes: ['read', 'write'] as const },
  ],
  sources: [{ id: 'web', writeKey: 'web-key' }],
  destinations: [],
  connections: [],
}

async function start(clock = systemClock): Promise<{ readonly sluice: Sluice; readonly api: ApiClient }> {
  const workspace = {
    ...file,
    accessTokens: file.accessTokens.map((token) => ({
      ...token,
      scopes: token.scopes && [...token.scopes],
    })),
  }
  const { sluice, api } = await serve({ workspace, clock, env: { SLUICE_CREDENTIAL_CRM: 'value of the variable' } })
  return { sluice, api: await api('Bearer root') }
}

const event = { type: 'track', event: 'Seen', userId: 'u1' }

describe('access tokens', () => {
  it('are created once shown, work at once, are listed without their text, and end when they are revoked', async () => {
    const { api, sluice } = await start()
    const created = await api.post('/v2/tokens', { name: 'ci', scopes: ['read'] })
    expect(created).toMatchObject({ status: 201, body: { token: { name: 'ci', scopes: ['read'], managedBy: 'api' } } })
    const { token, id } = created.body['token'] as { token: string; id: string }
    const ci = api.as(`Bearer ${token}`)
    expect((await ci.get('/v2/sources')).status).toBe(200)
    const listed = await api.get('/v2/tokens')
    expect(listed.body['tokens']).toMatchObject([
      { name: 'root' },
      { name: 'usual' },
      { name: 'reader' },
      { name: 'writer' },
      { id, name: 'ci' },
    ])
    const everything =
      listed.text +
      (await api.get('/v2/configuration')).text +
      JSON.stringify(sluice.configuration.list('shop', 'token'))
    expect(everything).not.toContain(token)
    expect(everything).not.toContain(hashOf(token).slice('sha256:'.length))
    expect((await api.delete('/v2/tokens/ci')).status).toBe(204)
    expect((await api.delete('/v2/tokens/ci')).status).toBe(204)
    expect((await ci.get('/v2/sources')).status).toBe(401)
  })

  it('have unique names, and those of the file cannot be revoked', async () => {
    const { api } = await start()
    await api.post('/v2/tokens', { name: 'ci' })
    expect((await api.post('/v2/tokens', { name: 'ci' })).body).toMatchObject({ code: 'recordTaken' })
    expect((await api.post('/v2/tokens', { name: 'root' })).body).toMatchObject({ code: 'managedByFile' })
    expect(await api.delete('/v2/tokens/root')).toMatchObject({ status: 409, body: { code: 'managedByFile' } })
  })

  it('need the scope admin, which a token has only when it names it', async () => {
    const { api } = await start()
    const usual = api.as('Bearer usual')
    for (const answer of [
      await usual.get('/v2/tokens'),
      await usual.post('/v2/tokens', { name: 'mine', scopes: ['admin'] }),
      await usual.delete('/v2/tokens/root'),
      await usual.put('/v2/workspace', { name: 'Mine' }),
      await usual.post('/v2/configuration', {
        changes: [{ action: 'create', kind: 'token', body: { name: 'x', token: hashOf('x') } }],
      }),
    ])
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'scopeMissing', error: expect.stringContaining('admin') },
      })
    expect((await usual.get('/v2/configuration')).text).not.toContain('"token"')
  })

  it('without write or operate change nothing, and see no write key', async () => {
    const { api } = await start()
    for (const name of ['reader', 'writer']) {
      const other = api.as(`Bearer ${name}`)
      for (const answer of [
        await other.post('/v2/sources', { id: 'app' }),
        await other.put('/v2/sources/web', {}),
        await other.delete('/v2/sources/web'),
        await other.put('/v2/credentials/key', { value: 'x' }),
        await other.post('/v2/sources/web/rotate-write-key', {}),
      ])
        expect([name, answer.status]).toEqual([name, 403])
    }
    await api.post('/v2/sources', { id: 'app', writeKey: 'app-key' })
    await api.post('/v2/sources/app/rotate-write-key', {})
    const reader = api.as('Bearer reader')
    for (const path of ['/v2/sources', '/v2/sources/app', '/v2/configuration'])
      expect((await reader.get(path)).text).not.toMatch(/web-key|app-key/)
  })
})

describe('credentials', () => {
  it('are set and deleted by name, and no answer has a value', async () => {
    const { api, sluice } = await start()
    const set = await api.put('/v2/credentials/CRM%20key', { value: 'very-secret' })
    expect(set).toMatchObject({ status: 200, body: { credential: { name: 'CRM key', revision: 1 } } })
    expect(sluice.workspaces[0]?.credentials).toEqual({ 'CRM key': 'very-secret' })
    await api.put('/v2/credentials/CRM%20key', { value: 'env:SLUICE_CREDENTIAL_CRM' })
    expect(sluice.workspaces[0]?.credentials).toEqual({ 'CRM key': 'value of the variable' })
    const missing = await api.put('/v2/credentials/other', { value: 'env:SLUICE_CREDENTIAL_NONE' })
    expect(missing).toMatchObject({ status: 400, body: { code: 'configurationInvalid' } })
    const listed = await api.get('/v2/credentials')
    expect(listed.body).toMatchObject({ credentials: [{ name: 'CRM key', revision: 2 }], paging: { total: 1 } })
    expect(set.text + missing.text + listed.text + (await api.get('/v2/configuration')).text).not.toMatch(
      /very-secret|CREDENTIAL_|value of/,
    )
    await api.delete('/v2/credentials/CRM%20key')
    expect((await api.get('/v2/credentials')).body).toMatchObject({ credentials: [] })
  })
})

describe('variables that credentials name', () => {
  const env = { SLUICE_CREDENTIAL_A: 'of A', SLUICE_CREDENTIAL_B: 'of B', OTHER: 'of the operator' }
  const workspaceOf = (id: string, more: Partial<WorkspaceDefinition> = {}): WorkspaceDefinition =>
    shop('http://hook.test/', {
      id,
      sources: [{ id: 'web', writeKey: `key-${id}` }],
      accessTokens: [{ name: 'all', token: hashOf(id) }],
      ...more,
    })
  const put = async (token: string, variable: string, ...workspaces: WorkspaceDefinition[]) => {
    const { api, sluice } = await serve({ workspace: { workspaces }, clock: systemClock, env })
    const { status } = await (await api(`Bearer ${token}`)).put('/v2/credentials/key', { value: `env:${variable}` })
    return [status, sluice.workspaces.find(({ id }) => id === token)?.credentials?.['key']]
  }

  it('are those that the workspace file lists for the workspace, and no others', async () => {
    const listed = workspaceOf('a', { credentialVariables: ['SLUICE_CREDENTIAL_A', 'OTHER'] })
    expect(await put('a', 'SLUICE_CREDENTIAL_A', listed, workspaceOf('b'))).toEqual([200, 'of A'])
    expect(await put('a', 'OTHER', listed, workspaceOf('b'))).toEqual([200, 'of the operator'])
    expect(await put('a', 'SLUICE_CREDENTIAL_B', listed, workspaceOf('b'))).toEqual([400, undefined])
    expect(await put('a', 'SLUICE_CREDENTIAL_B', listed)).toEqual([400, undefined])
  })

  it('without a list are SLUICE_CREDENTIAL_… where there is no other workspace, and none where there is', async () => {
    expect(await put('a', 'SLUICE_CREDENTIAL_B', workspaceOf('a'))).toEqual([200, 'of B'])
    expect(await put('a', 'OTHER', workspaceOf('a'))).toEqual([400, undefined])
    expect(await put('a', 'SLUICE_CREDENTIAL_A', workspaceOf('a'), workspaceOf('b'))).toEqual([400, undefined])
  })

  it('stop being read when a second workspace comes, also by credentials that were saved before', async () => {
    const store = createMemoryStore({ clock: systemClock, random: createSeededRandom(1) })
    const { api, sluice } = await serve({ workspace: workspaceOf('a'), clock: systemClock, env, store })
    await (await api('Bearer a')).put('/v2/credentials/key', { value: 'env:SLUICE_CREDENTIAL_B' })
    expect(sluice.workspaces[0]?.credentials).toEqual({ key: 'of B' })
    await sluice.updateWorkspace({ workspaces: [workspaceOf('a'), workspaceOf('b')] })
    expect(sluice.workspaces[0]?.credentials?.['key']).toBeUndefined()
  })
})

describe('what the API may not do', () => {
  it('is reading the environment of the process, or writing files of its machine', async () => {
    const { api } = await start()
    for (const [path, body] of [
      ['/v2/destinations', { type: 'FILE', config: { folder: '/tmp/events' } }],
      ['/v2/destinations', { type: 'CONSOLE', config: {} }],
    ] as const)
      expect(await api.post(path, body)).toMatchObject({
        status: 400,
        body: { details: { problems: [{ path: 'type', allowed: expect.stringContaining('--local-destinations') }] } },
      })
    expect(await api.put('/v2/credentials/key', { value: 'env:PATH' })).toMatchObject({ status: 400 })
    const token = { action: 'put', kind: 'token', id: 't', body: { name: 't', token: 'env:PATH' } }
    expect((await api.post('/v2/configuration', { changes: [token] })).status).toBe(400)
  })
})

describe('write keys', () => {
  it('are rotated: both are accepted until the former one ends', async () => {
    const clock = createManualClock()
    const { api, sluice } = await start(clock)
    await api.post('/v2/sources', { id: 'app', writeKey: 'first' })
    const rotated = await api.post('/v2/sources/app/rotate-write-key', { validForSeconds: 60 })
    const { writeKey, formerWriteKey } = rotated.body['source'] as { writeKey: string; formerWriteKey: object }
    expect(writeKey).not.toBe('first')
    expect(formerWriteKey).toEqual({ writeKey: 'first', validUntil: new Date(clock.now() + 60_000).toISOString() })
    expect([await sluice.ingest('first', [event]), await sluice.ingest(writeKey, [event])]).toMatchObject([
      { ok: true },
      { ok: true },
    ])
    clock.advance(60_000)
    expect(await sluice.ingest('first', [event])).toMatchObject({ ok: false, code: 'writeKeyUnknown' })
    expect(await sluice.ingest(writeKey, [event])).toMatchObject({ ok: true })
  })

  it('end at once when a second rotation follows, or when the former one is set to null', async () => {
    const { api, sluice } = await start()
    await api.post('/v2/sources', { id: 'app', writeKey: 'first' })
    const second = (await api.post('/v2/sources/app/rotate-write-key', {})).body['source'] as { writeKey: string }
    await api.post('/v2/sources/app/rotate-write-key', {})
    expect(await sluice.ingest('first', [event])).toMatchObject({ ok: false })
    expect(await sluice.ingest(second.writeKey, [event])).toMatchObject({ ok: true })
    await api.put('/v2/sources/app', { formerWriteKey: null })
    expect(await sluice.ingest(second.writeKey, [event])).toMatchObject({ ok: false })
  })

  it('of the file are not rotated, and no longer than 30 days', async () => {
    const { api } = await start()
    expect((await api.post('/v2/sources/web/rotate-write-key', {})).body).toMatchObject({ code: 'managedByFile' })
    expect((await api.post('/v2/sources/web/rotate-write-key', { validForSeconds: 2_592_001 })).status).toBe(400)
  })
})
