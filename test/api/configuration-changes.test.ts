import { systemClock, systemRandom, type Workspace } from '@sluice/core'
import { createMemoryStore } from '@sluice/storage'
import fc from 'fast-check'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startFaultyServer, treatments } from '../support/faults/faulty-server.ts'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const root = {
  name: 'root',
  token: hashOf('root'),
  scopes: ['read', 'write', 'operate', 'admin'] as ('read' | 'write' | 'operate' | 'admin')[],
}
const empty = { id: 'shop', accessTokens: [root], sources: [], destinations: [], connections: [] }
const webhook = { name: 'Hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/in' } }

const serve = serveWorkspaces({ workspace: empty, allowAddresses: ['localhost'], clock: systemClock })
const start = async (options: ServeOptions = {}): Promise<Sluice> => (await serve(options)).sluice

const clientOf = (sluice: Sluice) => createApiClient(sluice, 'Bearer root')

describe('changes', () => {
  it('that only validate change nothing, and show what would be', async () => {
    const api = await clientOf(await start())
    expect(await api.post('/v2/sources?validate=true', { id: 'app' })).toMatchObject({
      status: 200,
      body: { source: { id: 'app', revision: 1 } },
    })
    expect((await api.get('/v2/sources')).body).toMatchObject({ sources: [] })
  })

  it('that only validate change nothing with any route, and show no key or token', async () => {
    const api = await clientOf(await start())
    const made = [
      await api.post('/v2/sources', { id: 'app', writeKey: 'app-key' }),
      await api.put('/v2/credentials/key', { value: 'one' }),
      await api.post('/v2/tokens', { name: 'ci' }),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 200, 201])
    await api.post('/v2/destinations', { id: 'hook', type: 'WEBHOOK', config: { webhookUrl: 'http://hook.test' } })
    const code = 'export function transformEvent(event) { return event }'
    const { id: transformationId } = (await api.post('/transformations?publish=true', { name: 'T', code })).body
    const link = '/v2/destinations/hook/transformation'
    expect(await api.put(`${link}?validate=true`, { transformationId })).toMatchObject({
      status: 200,
      body: { transformationId },
    })
    expect((await api.put(`${link}?validate=true`, { transformationId: 'none' })).status).toBe(404)
    expect((await api.get(link)).status).toBe(404)
    await api.put(link, { transformationId })
    expect((await api.delete(`${link}?validate=true`)).body).toMatchObject({ transformationId })
    expect((await api.get(link)).status).toBe(200)
    const before = (await api.get('/v2/configuration')).text
    const checked = [
      await api.put('/v2/workspace?validate=true', { name: 'Other' }),
      await api.put('/v2/sources/app/external-id?validate=true', { externalId: 'of-code' }),
      await api.post('/v2/sources/app/rotate-write-key?validate=true', {}),
      await api.put('/v2/credentials/key?validate=true', { value: 'two' }),
      await api.delete('/v2/credentials/key?validate=true'),
      await api.post('/v2/tokens?validate=true', { name: 'other' }),
      await api.delete('/v2/tokens/ci?validate=true'),
      await api.delete('/v2/sources/app?validate=true'),
    ]
    // The file defines the workspace.
    expect(checked.map(({ status }) => status)).toEqual([409, 200, 200, 200, 204, 200, 204, 204])
    expect(checked[1]?.body).toMatchObject({ source: { externalId: 'of-code' } })
    expect(checked[2]?.body).toMatchObject({ source: { writeKey: '••••••', formerWriteKey: { writeKey: '••••••' } } })
    expect(checked[5]?.body['token']).not.toHaveProperty('token')
    expect((await api.get('/v2/configuration')).text).toBe(before)
  })

  it('that are invalid list every problem with its place and what is allowed, and no secret', async () => {
    const api = await clientOf(await start())
    const answer = await api.post('/v2/destinations', {
      id: 'a b',
      name: '',
      type: 'WEBHOOK',
      enabled: 'yes',
      config: { webhookUrl: 7, webhookMethod: 'LOOK', headers: [{ from: 1, to: 'very-secret-header' }] },
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'configurationInvalid' } })
    const { problems } = answer.body['details'] as { problems: { path: string; allowed: string }[] }
    expect(problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['id', 'name', 'enabled', 'config.webhookUrl', 'config.webhookMethod']),
    )
    for (const { allowed } of problems) expect(allowed).not.toBe('')
    expect(answer.text).not.toContain('very-secret-header')
    expect(answer.body['error']).toBe(answer.body.message)
    const credential = await api.put('/v2/credentials/%20key', { value: 'very-secret' })
    expect(credential.body).toMatchObject({
      message: 'name is " key"; allowed is: up to 100 characters that do not begin with a space',
    })
    const nameless = await api.post('/v2/configuration', { changes: [{ action: 'put', kind: 'source', body: {} }] })
    expect(nameless.body).toMatchObject({ code: 'bodyInvalid', message: expect.stringContaining('changes.0.id') })
    const unknown = await api.post('/v2/destinations', { type: 'WEBHOK' })
    expect(unknown.body).toMatchObject({
      details: { problems: [{ path: 'type', allowed: expect.stringContaining('WEBHOOK') }] },
    })
  })

  it('that are malformed by the thousand are refused with the first hundred, in little time', async () => {
    const api = await clientOf(await start())
    const changes = Array.from({ length: 5_000 }, (_, n) => ({
      action: 'create',
      kind: 'source',
      id: `s${n}`,
      body: { name: 5, enabled: 'x', type: 7 },
    }))
    await api.post('/v2/configuration?validate=true', { changes: changes.slice(0, 200) })
    const began = process.cpuUsage()
    const { status, body } = await api.post('/v2/configuration?validate=true', { changes })
    const { user } = process.cpuUsage(began)
    const { problems } = body['details'] as { problems: readonly { path: string }[] }
    expect([status, new Set(problems.map(({ path }) => path.split('.')[0])).size]).toEqual([400, 100])
    expect(body.message).toContain('Only the first 100 invalid records are listed.')
    expect(user / 1_000).toBeLessThan(1_000)
  })

  it('that are invalid list the problems of all parts, with their places in the request', async () => {
    const api = await clientOf(await start())
    const settings = { webhookUrl: 7, webhookMethod: 'LOOK' }
    const answer = await api.post('/v2/configuration', {
      changes: [
        { action: 'create', kind: 'source', id: 'app', body: { enabled: 'yes' } },
        { action: 'create', kind: 'destination', id: 'hook', body: { ...webhook, settings } },
        { action: 'put', kind: 'credential', id: 'key', body: {} },
      ],
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'configurationInvalid' } })
    const { problems } = answer.body['details'] as { problems: { path: string }[] }
    expect(problems.map(({ path }) => path)).toEqual([
      'changes[0].body.enabled',
      'changes[1].body.settings.webhookUrl',
      'changes[1].body.settings.webhookMethod',
      'changes[2].body.value',
    ])
    expect(answer.body.message).toContain('destination hook: settings.webhookUrl')
  })

  it('of many parts are applied together, or not at all', async () => {
    const sluice = await start()
    const api = await clientOf(sluice)
    const changes = [
      { action: 'create', kind: 'source', id: 'app', body: { writeKey: 'app-key' } },
      { action: 'create', kind: 'destination', id: 'hook', body: webhook },
      { action: 'create', kind: 'connection', body: { source: 'app', destination: 'hook' } },
    ]
    const refused = await api.post('/v2/configuration', {
      changes: [...changes, { action: 'create', kind: 'connection', body: { source: 'none', destination: 'hook' } }],
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'configurationInvalid' } })
    expect(sluice.workspaces[0]?.sources).toEqual([])
    expect((await api.post('/v2/configuration', { changes })).body['parts']).toMatchObject([
      { id: 'app' },
      { id: 'hook' },
      { kind: 'connection' },
    ])
    expect(sluice.workspaces[0]).toMatchObject({
      sources: [{ id: 'app' }],
      connections: [{ sourceId: 'app', destinationId: 'hook' }],
    })
    const audit = (await api.get('/v2/audit?limit=1')).body['data']
    expect(audit).toMatchObject([
      { path: '/v2/configuration (create source app, create destination hook, create connection app → hook)' },
    ])
    // A part that others refer to stays.
    expect(await api.delete('/v2/sources/app')).toMatchObject({
      status: 400,
      body: { code: 'recordConnected', message: expect.stringContaining('active connections') },
    })
  })

  it('by two writers at once: one wins, the other is refused, and nothing is half', async () => {
    const api = await clientOf(await start())
    await api.post('/v2/sources', { id: 'app' })
    const answers = await Promise.all(
      ['One', 'Two'].map((name) => api.put('/v2/sources/app', { name }, { 'if-match': '"1"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const created = await Promise.all([1, 2, 3].map(() => api.post('/v2/sources', { id: 'tv' })))
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  it('that the pipeline cannot apply are not kept', async () => {
    const store = createMemoryStore({ clock: systemClock, random: systemRandom })
    let isBroken = false
    const log = {
      ...store.log,
      register: async (...args: Parameters<typeof store.log.register>) => {
        if (isBroken) throw new Error('the disk is gone')
        return store.log.register(...args)
      },
    }
    const sluice = await start({ store: { ...store, log } })
    isBroken = true
    const change = { action: 'create', kind: 'destination', id: 'hook', body: webhook } as const
    await expect(sluice.configuration.change('shop', [change])).rejects.toThrow('the disk is gone')
    expect((await store.configuration.read()).records).toEqual([])
    expect(sluice.configuration.list('shop', 'destination')).toEqual([])
    isBroken = false
    expect(await sluice.configuration.change('shop', [change])).toMatchObject({ ok: true })
  })

  it('delete a destination with waiting events only when they are forced to, and say how many wait', async () => {
    let isDown = true
    const down = await startFaultyServer(() => (isDown ? treatments.isBusy : treatments.takes))
    closing.push(() => down.close())
    const sluice = await start()
    const api = await clientOf(sluice)
    await api.post('/v2/configuration', {
      changes: [
        { action: 'create', kind: 'source', id: 'app', body: { writeKey: 'app-key' } },
        {
          action: 'create',
          kind: 'destination',
          id: 'hook',
          body: { ...webhook, settings: { webhookUrl: `${down.url}/in` } },
        },
        { action: 'create', kind: 'connection', id: 'link', body: { source: 'app', destination: 'hook' } },
      ],
    })
    await sluice.ingest(
      'app-key',
      [1, 2, 3, 4, 5, 6, 7, 8].map((index) => ({ type: 'track', event: 'Seen', userId: `u${index}` })),
    )
    // Then the destination is left alone for a while, and deliveries under way wait for it.
    await eventually(() => down.seen.length).toBeGreaterThan(8)
    const changes = [
      { action: 'delete', kind: 'connection', id: 'link' },
      { action: 'delete', kind: 'destination', id: 'hook' },
    ]
    const refused = await api.post('/v2/configuration', { changes })
    expect(refused).toMatchObject({ status: 409, body: { code: 'eventsWaiting', details: { waiting: 8 } } })
    await api.delete('/v2/connections/link')
    expect((await api.delete('/v2/destinations/hook')).status).toBe(204)
    // Also those that a delivery under way was waiting to send again.
    isDown = false
    await sluice.settled()
    const [{ destinations: [stats] = [] } = {}] = await sluice.stats()
    expect(stats).toMatchObject({ accepted: 8, pending: 0, failed: { 'destination.gone': 8 } })
    expect(down.taken).toEqual([])
  })

  it('keep a stored secret behind its mask, and need it again where it would go to another place', async () => {
    const sluice = await start()
    const api = await clientOf(sluice)
    const headers = [
      { from: 'X-One', to: 'secret-one' },
      { from: 'X-Two', to: 'secret-two' },
    ]
    await api.post('/v2/destinations', {
      id: 'hook',
      type: 'WEBHOOK',
      config: { webhookUrl: 'http://hook.test/in', headers },
    })
    const shown = (await api.get('/v2/destinations/hook')).body['destination'] as { config: { headers: object[] } }
    expect(JSON.stringify(shown)).not.toContain('secret')
    const [one = {}, two = {}] = shown.config.headers
    await api.put('/v2/destinations/hook', {
      ...shown,
      name: 'Turned',
      config: { ...shown.config, headers: [two, one] },
    })
    expect(sluice.workspaces[0]?.destinations[0]).toMatchObject({
      name: 'Turned',
      settings: { headers: [headers[1], headers[0]] },
    })
    const renamed = await api.put('/v2/destinations/hook', {
      config: { ...shown.config, headers: [{ ...one, from: 'X-Other' }] },
    })
    expect(renamed).toMatchObject({ status: 400, body: { details: { problems: [{ path: 'config.headers[0].to' }] } } })
  })

  it('whose record does not parse after a restart leave it out, report it, and keep the server running', async () => {
    const store = createMemoryStore({ clock: systemClock, random: systemRandom })
    const now = { revision: 1, createdAt: 0, updatedAt: 0, workspaceId: 'shop' }
    await store.configuration.commit(
      {
        put: [
          {
            ...now,
            kind: 'destination',
            id: 'gone',
            body: { type: 'OF_A_PACKAGE_THAT_IS_GONE', settings: { apiKey: 'very-secret' } },
          },
          { ...now, kind: 'source', id: 'app', body: { writeKey: 'app-key' } },
          { ...now, kind: 'connection', id: 'link', body: { source: 'app', destination: 'gone' } },
        ],
      },
      0,
    )
    const lines: object[] = []
    const logger = { debug() {}, info() {}, warn() {}, error: (fields: object) => void lines.push(fields) }
    const sluice = await start({ store, logger })
    const api = await clientOf(sluice)
    expect(await sluice.ingest('app-key', [{ type: 'track', event: 'Seen', userId: 'u1' }])).toMatchObject({ ok: true })
    const shown = await api.get('/v2/destinations/gone')
    expect(shown.body).toMatchObject({
      destination: { id: 'gone', config: { apiKey: '••••••' }, problems: [{ path: 'type' }] },
    })
    expect(lines).toMatchObject([
      { kind: 'destination', id: 'gone' },
      { kind: 'connection', id: 'link' },
    ])
    expect(shown.text + JSON.stringify(lines)).not.toContain('very-secret')
    expect((await api.delete('/v2/connections/link')).status).toBe(204)
    expect((await api.delete('/v2/destinations/gone')).status).toBe(204)
  })
})

describe('a large workspace', () => {
  it('of 10,000 connections takes one more, and lists them all', async () => {
    const sluice = await start()
    const create = (kind: 'source' | 'destination' | 'connection', id: string, body: Record<string, string | object>) =>
      ({ action: 'create', kind, id, body }) as never
    const ids = Array.from({ length: 100 }, (_, index) => index)
    const changes = [
      ...ids.map((index) => create('source', `s${index}`, { writeKey: `key-${index}` })),
      ...ids.map((index) => create('destination', `d${index}`, webhook)),
      ...ids.flatMap((s) =>
        ids.map((d) => create('connection', `c${s}-${d}`, { source: `s${s}`, destination: `d${d}` })),
      ),
    ]
    expect(await sluice.configuration.change('shop', changes)).toMatchObject({ ok: true })
    expect(sluice.workspaces[0]?.connections).toHaveLength(10_000)
    const more = [
      create('source', 'more', { writeKey: 'more' }),
      create('connection', 'more', { source: 'more', destination: 'd0' }),
    ]
    expect(await sluice.configuration.change('shop', more)).toMatchObject({ ok: true })
    const api = await clientOf(sluice)
    expect((await api.get('/v2/connections?page=11')).body).toMatchObject({
      connections: [{ id: 'more' }],
      paging: { total: 10_001 },
    })
  })
})

describe('the API and the file', () => {
  it('give the same pipeline, whatever the order of changes', async () => {
    const names = ['a', 'b', 'c']
    const change = fc.oneof(
      fc.record({
        action: fc.constantFrom('create', 'put', 'update'),
        kind: fc.constant('source'),
        id: fc.constantFrom(...names),
        body: fc.record(
          { name: fc.constantFrom('One', 'Two'), writeKey: fc.constantFrom('k1', 'k2', 'k3'), enabled: fc.boolean() },
          { requiredKeys: ['writeKey'] },
        ),
      }),
      fc.record({
        action: fc.constantFrom('create', 'put', 'update'),
        kind: fc.constant('destination'),
        id: fc.constantFrom(...names),
        body: fc.record({
          type: fc.constantFrom('WEBHOOK', 'webhook'),
          enabled: fc.boolean(),
          settings: fc.record({ webhookUrl: fc.constantFrom('http://a.test/', 'http://b.test/') }),
        }),
      }),
      fc.record({
        action: fc.constantFrom('create', 'put'),
        kind: fc.constant('connection'),
        id: fc.constantFrom(...names),
        body: fc.record({
          source: fc.constantFrom(...names),
          destination: fc.constantFrom(...names),
          enabled: fc.boolean(),
        }),
      }),
      fc.record({
        action: fc.constant('delete'),
        kind: fc.constantFrom('source', 'destination', 'connection'),
        id: fc.constantFrom(...names),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const store = createMemoryStore({ clock: systemClock, random: systemRandom })
        const byApi = await createSluice({ workspace: empty, store, sandbox: { mode: 'in-process' } })
        try {
          for (const each of changes) await byApi.configuration.change('shop', [each as never])
          const { records } = await store.configuration.read()
          const of = (kind: string) => records.filter((record) => record.kind === kind)
          const definition = {
            ...empty,
            sources: of('source').map(({ id, body }) => ({ ...body, id })),
            destinations: of('destination').map(({ id, body }) => ({ ...body, id })),
            connections: of('connection').map(({ body }) => body),
          }
          const byFile = await createSluice({ workspace: definition as never, sandbox: { mode: 'in-process' } })
          try {
            expect(sorted(byApi.workspaces)).toEqual(sorted(byFile.workspaces))
          } finally {
            await byFile.stop()
          }
        } finally {
          await byApi.stop()
        }
      }),
      { numRuns: 15 },
    )
  })
})

function sorted(workspaces: readonly Workspace[]): unknown {
  return JSON.parse(JSON.stringify(workspaces))
}
