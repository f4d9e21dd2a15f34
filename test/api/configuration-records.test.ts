import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import type { Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const file = {
  id: 'shop',
  accessTokens: [
    { name: 'all', token: hashOf('all'), scopes: ['read', 'write', 'operate', 'admin'] },
    { name: 'reader', token: hashOf('reader'), scopes: ['read'] },
  ],
  sources: [{ id: 'web', writeKey: 'web-key' }],
  destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/in' } }],
  connections: [{ source: 'web', destination: 'hook' }],
}

const serve = serveWorkspaces({ allowAddresses: ['localhost'] })

async function start(store?: Store, workspace: object | undefined = file, clock = systemClock): Promise<Sluice> {
  const served = await serve({ workspace: uncheckedWorkspace(workspace), store, clock })
  return served.sluice
}

const clientOf = (sluice: Sluice): Promise<ApiClient> => createApiClient(sluice, 'Bearer all')

async function receiver(): Promise<Receiver> {
  const started = await startReceiver()
  closing.push(() => started.close())
  return started
}

const event = { type: 'track', event: 'Seen', userId: 'u1' }

describe('records of the API', () => {
  it('are created, and events flow through them at once', async () => {
    const hook = await receiver()
    const sluice = await start()
    const api = await clientOf(sluice)
    const source = await api.post('/v2/sources', { name: 'App', type: 'android' })
    expect(source).toMatchObject({
      status: 201,
      body: { source: { name: 'App', type: 'android', enabled: true, managedBy: 'api', revision: 1 } },
    })
    const { id: sourceId, writeKey } = source.body['source'] as { id: string; writeKey: string }
    const config = { webhookUrl: `${hook.url}/in`, headers: [{ from: 'X-Key', to: 'very-secret' }] }
    const destination = await api.post('/v2/destinations', { name: 'Hook', type: 'WEBHOOK', enabled: true, config })
    expect(destination.text).not.toContain('very-secret')
    const { id: destinationId } = destination.body['destination'] as { id: string }
    expect((await api.post('/v2/connections', { sourceId, destinationId, enabled: true })).status).toBe(201)
    expect(await sluice.ingest(writeKey, [event])).toMatchObject({ ok: true })
    await sluice.settled()
    expect(hook.received.map(({ headers }) => headers['x-key'])).toEqual(['very-secret'])
  })

  it('are listed after those of the file, page by page, and found by id', async () => {
    const api = await clientOf(await start())
    for (const id of ['a', 'b', 'c']) await api.post('/v2/sources', { id })
    const first = await api.get('/v2/sources?limit=3')
    expect(first.body).toMatchObject({
      sources: [{ id: 'web', managedBy: 'file' }, { id: 'a' }, { id: 'b' }],
      paging: { total: 4, next: '/v2/sources?page=2&limit=3' },
    })
    expect((await api.get('/v2/sources?page=2&limit=3')).body).toMatchObject({
      sources: [{ id: 'c' }],
      paging: { total: 4 },
    })
    expect((await api.get('/v2/sources/b')).body).toMatchObject({ source: { id: 'b', name: 'b', workspaceId: 'shop' } })
    expect(await api.get('/v2/sources/none')).toMatchObject({ status: 404, body: { code: 'sourceMissing' } })
  })

  it('keep what a change does not name, lose what it sets to null, and count revisions', async () => {
    const clock = createManualClock()
    const api = await clientOf(await start(undefined, file, clock))
    await api.post('/v2/sources', { id: 'app', name: 'App', observe: { samples: false } })
    clock.advance(1_000)
    const changed = await api.put('/v2/sources/app', { name: 'The app' })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect(changed.headers.get('cache-control')).toBe('no-store')
    expect(changed.body['source']).toMatchObject({ name: 'The app', observe: { samples: false }, revision: 2 })
    const { createdAt, updatedAt } = changed.body['source'] as { createdAt: string; updatedAt: string }
    expect(Date.parse(updatedAt) - Date.parse(createdAt)).toBe(1_000)
    const without = await api.put('/v2/sources/app', { observe: null })
    expect(without.body['source']).not.toHaveProperty('observe')
    // The same again changes nothing.
    expect((await api.put('/v2/sources/app', { name: 'The app' })).headers.get('etag')).toBe('"3"')
  })

  it('are changed only at the revision that If-Match names', async () => {
    const api = await clientOf(await start())
    await api.post('/v2/sources', { id: 'app' })
    await api.put('/v2/sources/app', { name: 'One' }, { 'if-match': '"1"' })
    expect(await api.put('/v2/sources/app', { name: 'Two' }, { 'if-match': '"1"' })).toMatchObject({
      status: 412,
      body: { code: 'recordChanged' },
    })
    expect((await api.delete('/v2/sources/app', { 'if-match': '"1"' })).status).toBe(412)
    expect((await api.put('/v2/sources/app', { name: 'Two' }, { 'if-match': 'W/"1"' })).status).toBe(412)
    expect((await api.put('/v2/sources/app', { type: 'web' }, { 'if-match': 'W/"2"' })).status).toBe(200)
    expect((await api.put('/v2/sources/app', {}, { 'if-match': 'one' })).status).toBe(400)
    const old = { 'if-match': '"1"' }
    expect((await api.put('/v2/sources/app/external-id', { externalId: 'x' }, old)).status).toBe(412)
    for (const value of ['one', 'two']) await api.put('/v2/credentials/key', { value })
    expect((await api.put('/v2/credentials/key', { value: 'three' }, old)).status).toBe(412)
    expect((await api.delete('/v2/credentials/key', old)).status).toBe(412)
    const token = await api.post('/v2/tokens', { name: 'ci' })
    expect(token.headers.get('etag')).toBe('"1"')
    expect((await api.delete('/v2/tokens/ci', { 'if-match': '"2"' })).status).toBe(412)
    expect((await api.get('/v2/sources/app')).body).toMatchObject({ source: { name: 'One' } })
  })

  it('are deleted once, and deleting again is fine', async () => {
    const api = await clientOf(await start())
    await api.post('/v2/sources', { id: 'app' })
    expect([(await api.delete('/v2/sources/app')).status, (await api.delete('/v2/sources/app')).status]).toEqual([
      204, 204,
    ])
    expect((await api.get('/v2/sources/app')).status).toBe(404)
  })

  it('survive a restart of a store on disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-configuration-'))
    closing.push(async () => rmSync(folder, { recursive: true }))
    const open = () => openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
    const first = await start(await open())
    await (await clientOf(first)).post('/v2/sources', { id: 'app', writeKey: 'app-key' })
    await first.stop()
    const second = await start(await open())
    expect(await second.ingest('app-key', [event])).toMatchObject({ ok: true })
    expect((await (await clientOf(second)).get('/v2/sources/app')).body).toMatchObject({ source: { revision: 1 } })
  })
})

describe('what the workspace file defines', () => {
  it('cannot be changed or deleted through the API, and the answer says why', async () => {
    const api = await clientOf(await start())
    const refusals = [
      await api.put('/v2/sources/web', { name: 'Other' }),
      await api.delete('/v2/sources/web'),
      await api.put('/v2/destinations/hook', { enabled: false }),
      await api.post('/v2/sources', { id: 'web' }),
      await api.post('/v2/connections', { sourceId: 'web', destinationId: 'hook' }),
    ]
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 409,
        body: { code: 'managedByFile', message: expect.stringContaining('workspace file') },
      })
  })

  it('hides stored records with the same name, and wins over their write keys', async () => {
    const store = createMemoryStore({ clock: systemClock, random: systemRandom })
    const sluice = await start(store)
    const api = await clientOf(sluice)
    await api.post('/v2/sources', { id: 'app', name: 'stored', writeKey: 'one' })
    await api.post('/v2/sources', { id: 'tv', writeKey: 'two' })
    const sources = [
      { id: 'app', name: 'of the file', writeKey: 'three' },
      { id: 'car', writeKey: 'two' },
    ]
    await sluice.updateWorkspace(uncheckedWorkspace({ ...file, sources: [...file.sources, ...sources] }))
    const { sources: listed } = (await api.get('/v2/sources')).body as unknown as { sources: { id: string }[] }
    expect(listed).toMatchObject([
      { id: 'web' },
      { id: 'app', name: 'of the file', managedBy: 'file' },
      { id: 'car', managedBy: 'file' },
      { id: 'tv', managedBy: 'api', problems: [{ path: 'writeKey', value: '(hidden)' }] },
    ])
    expect(await sluice.ingest('one', [event])).toMatchObject({ ok: false })
    // They come back when the file does not name them any more.
    await sluice.updateWorkspace(uncheckedWorkspace(file))
    expect((await api.get('/v2/sources/app')).body).toMatchObject({ source: { name: 'stored', managedBy: 'api' } })
    expect(await sluice.ingest('two', [event])).toMatchObject({ ok: true })
  })
})
