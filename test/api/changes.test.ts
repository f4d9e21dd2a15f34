import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const file = shop('http://hook.test/', {
  accessTokens: [
    { name: 'all', token: hashOf('all'), scopes: ['read', 'write', 'operate', 'admin'] },
    { name: 'reader', token: hashOf('reader'), scopes: ['read', 'write'] },
  ],
})

let sluice: Sluice
let api: ApiClient
let ada: ApiClient
let clock: ManualClock
const errors: unknown[] = []
beforeEach(async () => {
  clock = createManualClock()
  const random = createSeededRandom(7)
  errors.length = 0
  sluice = await createSluice({
    workspace: file,
    transport: createRecordingTransport(),
    clock,
    random,
    store: await openSqliteStore({ path: ':memory:', clock, random }),
    sandbox: { mode: 'in-process' },
    onError: (error) => errors.push(error),
  })
  api = await createApiClient(sluice, 'Bearer all')
  ada = api.as(basic('ada@shop.test', 'all'))
})
afterEach(async () => {
  expect(errors).toEqual([])
  await sluice.stop()
})

interface Shown {
  readonly id: number
  readonly who: string
  readonly kind: string
  readonly subject: { readonly kind: string; readonly id: string; readonly name: string }
  readonly text: string
  readonly before?: string
  readonly after?: string
  readonly call?: string
}
const page = async (path = '/v2/changes') =>
  (await api.get(path)).body as unknown as {
    readonly data: readonly Shown[]
    readonly paging: { readonly next?: string }
  }
/** Sentences, oldest first, without those of the workspace file. */
const sentences = async () =>
  (await page()).data
    .filter(({ kind }) => kind !== 'fileRead')
    .map(({ who, text }) => `${who} ${text}`)
    .reverse()

describe('GET /v2/changes', () => {
  it('says in sentences what people did with destinations, sources and connections', async () => {
    const settings = { webhookUrl: 'https://x.test/?secret=hunter2', webhookMethod: 'PUT' }
    await ada.post('/v2/destinations', { id: 'crm', name: 'CRM', type: 'WEBHOOK', config: settings })
    await ada.put('/v2/destinations/crm', { config: { ...settings, webhookMethod: 'POST' } })
    await ada.put('/v2/destinations/crm', {
      config: { ...settings, webhookMethod: 'POST', webhookUrl: 'https://y.test/' },
    })
    await ada.put('/v2/destinations/crm', { name: 'Customers' })
    await ada.put('/v2/destinations/crm', { enabled: false })
    await ada.post('/v2/destinations/crm/pause')
    await ada.post('/v2/destinations/crm/pause')
    await ada.post('/v2/destinations/crm/resume')
    await ada.post('/v2/sources', { id: 'app', name: 'App' })
    await ada.post('/v2/sources/app/rotate-write-key', {})
    await ada.post('/v2/connections', { id: 'c1', sourceId: 'app', destinationId: 'crm' })
    await ada.delete('/v2/connections/c1')
    await ada.delete('/v2/destinations/crm')
    await ada.put('/v2/sources/app?validate=true', { name: 'Never' })
    await ada.put('/v2/sources/none', { name: 'Never' })
    expect(await sentences()).toEqual([
      'ada@shop.test created destination CRM',
      'ada@shop.test changed webhookMethod of destination CRM',
      'ada@shop.test changed webhookUrl of destination CRM',
      'ada@shop.test renamed destination CRM to Customers',
      'ada@shop.test switched off destination Customers',
      'ada@shop.test paused destination Customers',
      'ada@shop.test resumed destination Customers',
      'ada@shop.test created source App',
      'ada@shop.test gave source App another write key',
      'ada@shop.test connected source App with destination Customers',
      'ada@shop.test disconnected source App from destination Customers',
      'ada@shop.test deleted destination Customers',
    ])
    const { data } = await page('/v2/changes?subject=crm&kind=changed')
    expect(data.at(-1)).toEqual({
      id: expect.any(Number),
      at: new Date(clock.now()).toISOString(),
      who: 'ada@shop.test',
      kind: 'changed',
      subject: { kind: 'destination', id: 'crm', name: 'CRM' },
      text: 'changed webhookMethod of destination CRM',
      before: 'PUT',
      after: 'POST',
      call: 'PUT /v2/destinations/crm',
    })
    expect(JSON.stringify(await page())).not.toMatch(/hunter2|y\.test/)
  })

  it('shows no text of a token, no credential and no user of a regulation', async () => {
    const { body } = await ada.post('/v2/tokens', { name: 'ci', scopes: ['read'] })
    await ada.put('/v2/credentials/crmKey', { value: 'hunter2' })
    await ada.put('/v2/credentials/crmKey', { value: 'hunter3' })
    await ada.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId: 'u1' }, { userId: 'u2' }] })
    await ada.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId: 'u3' }] })
    const [regulation] = (await api.get('/v2/regulations?userId=u3')).body['data'] as unknown as [{ id: string }]
    await ada.delete(`/v2/regulations/${regulation.id}`)
    await ada.delete(`/v2/regulations/${regulation.id}`)
    expect(await sentences()).toEqual([
      'ada@shop.test created access token ci with the scopes read',
      'ada@shop.test created credential crmKey',
      'ada@shop.test set credential crmKey to another value',
      'ada@shop.test suppressed the events of 2 users',
      'ada@shop.test suppressed the events of one user',
      'ada@shop.test cancelled the regulation of one user',
    ])
    const { token } = body['token'] as unknown as { token: string }
    const text = JSON.stringify(await page())
    for (const secret of [token, 'hunter', '"u1"', '"u3"']) expect(text).not.toContain(secret)
  })

  it('has publications and ways back, from which versions know when they were live', async () => {
    const code = (n: number) => `export const transformEvent = (event) => ({ ...event, n: ${n} })`
    const created = (await ada.post('/transformations', { name: 'Mask', code: code(1) })).body
    const id = String(created['id'])
    const first = String(created['versionId'])
    const publish = (versionId: string) =>
      ada.post('/transformations/libraries/publish', { transformations: [{ versionId }], libraries: [] })
    await publish(first)
    clock.advance(60_000)
    const second = String((await ada.post(`/transformations/${id}?publish=true`, { code: code(2) })).body['versionId'])
    clock.advance(60_000)
    await publish(first)
    await publish(first)
    await ada.post(`/transformations/${id}/connectToDestination`, { destinationId: 'hook' })
    await ada.delete(`/transformations/${id}`)
    expect(await sentences()).toEqual([
      'ada@shop.test created transformation Mask',
      'ada@shop.test published version 1 of transformation Mask',
      'ada@shop.test published version 2 of transformation Mask',
      'ada@shop.test went back to version 1 of transformation Mask',
      expect.stringMatching(/^ada@shop.test connected transformation Mask with destination /),
      'ada@shop.test deleted transformation Mask',
    ])
    expect((await page('/v2/changes?kind=rolledBack')).data).toMatchObject([
      { before: 'version 2', after: 'version 1', ref: first, subject: { kind: 'transformation', id, name: 'Mask' } },
    ])
    expect(second).not.toBe(first)
  })

  it('lists versions with their number, when they were live, and who published them', async () => {
    const code = 'export const transformEvent = (event) => event'
    const start = new Date(clock.now()).toISOString()
    const { id } = (await ada.post('/transformations?publish=true', { name: 'Mask', code })).body
    clock.advance(60_000)
    const later = new Date(clock.now()).toISOString()
    await api.post(`/transformations/${id}?publish=true`, { code: `${code}\n` })
    await api.post(`/transformations/${id}`, { code: `${code}\n\n` })
    const listed = (await api.get(`/transformations/${id}/versions`)).body[
      'TransformationVersions'
    ] as unknown as object[]
    expect(listed).toMatchObject([
      { number: 1 },
      { number: 2, publishedAt: start, retiredAt: later, publishedBy: 'ada@shop.test' },
      { number: 3, publishedAt: later, publishedBy: 'all' },
      { number: 4 },
    ])
    for (const draft of [listed[0], listed[3]]) expect(draft).not.toHaveProperty('publishedAt')
    expect(listed[2]).not.toHaveProperty('retiredAt')
  })

  it('has what workspace files change, and what the program does', async () => {
    const [read] = (await page()).data
    expect(read).toMatchObject({ who: 'the workspace file', kind: 'fileRead' })
    expect(read?.text).toMatch(/^was read for the first time: it defines \d+ parts$/)
    expect(read).not.toHaveProperty('call')
    await sluice.updateWorkspace(file)
    expect((await page('/v2/changes?kind=fileRead')).data).toHaveLength(1)
    await sluice.updateWorkspace({
      ...file,
      sources: [...file.sources, { id: 'new', name: 'New', writeKey: 'new-key-1' }],
    })
    expect((await page()).data[0]?.text).toBe('was read again: created source New')
    await sluice.configuration.setPaused(file.id, 'hook', true)
    expect((await page()).data[0]).toMatchObject({ who: 'the program', kind: 'paused' })
  })

  it('notes the first fifty parts of a large change, and the number of the others', async () => {
    const changes = Array.from({ length: 60 }, (_, n) => ({ action: 'create', kind: 'source', id: `s${n}`, body: {} }))
    await ada.post('/v2/configuration', { changes })
    const { data } = await page('/v2/changes?limit=1000')
    expect(data.filter(({ kind }) => kind === 'created')).toHaveLength(50)
    expect(data[0]?.text).toBe('changed 10 more parts of the workspace in the same call')
  })

  it('filters and pages like the audit log, needs the scope operate, and knows who of calls at the same time', async () => {
    const bob = api.as(basic('bob', 'all'))
    await Promise.all([
      ...['a', 'b', 'c'].map((id) => ada.post('/v2/sources', { id, name: id })),
      ...['d', 'e'].map((id) => bob.post('/v2/sources', { id, name: id })),
    ])
    expect((await sentences()).toSorted()).toEqual([
      'ada@shop.test created source a',
      'ada@shop.test created source b',
      'ada@shop.test created source c',
      'bob created source d',
      'bob created source e',
    ])
    const all = (await page('/v2/changes?subjectKind=source')).data
    const first = await page('/v2/changes?subjectKind=source&limit=3')
    const second = await page(first.paging.next ?? '')
    expect([...first.data, ...second.data]).toEqual(all)
    expect(second.paging).toEqual({})
    const now = new Date(clock.now()).toISOString()
    expect((await page(`/v2/changes?until=${now}`)).data).toEqual([])
    for (const query of ['since=yesterday', 'kind=exploded', 'after=0', 'limit=0'])
      expect(await api.get(`/v2/changes?${query}`)).toMatchObject({ status: 400, body: { code: 'queryInvalid' } })
    expect((await api.as('Bearer reader').get('/v2/changes')).status).toBe(403)
  })
})
