import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { type Answer, createRecordingTransport, reply } from '@sluice/delivery'
import { deletionReportText, type RegulationReport } from '@sluice/regulation/deletion-report'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiAnswer, type ApiClient, basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const secret = 'pw-c0ffee'
const credentials = Buffer.from(`key:${secret}`).toString('base64')
const theShop = shop('http://hook.test/', {
  destinations: [
    { id: 'amplitude', name: 'Product analytics', type: 'AM', settings: { apiKey: 'key', apiSecret: secret } },
    { id: 'cache', type: 'REDIS', settings: { address: 'cache.test', password: 'pw-redis' } },
    { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } },
  ],
  accessTokens: [
    { name: 'all', token: hashOf('all') },
    ...(['read', 'write', 'operate'] as const).map((scope) => ({ name: scope, token: hashOf(scope), scopes: [scope] })),
  ],
})
const neighbour = {
  ...shop('http://neighbour.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour',
  accessTokens: [{ name: 'neighbour', token: hashOf('neighbour') }],
}

let sluice: Sluice
let api: ApiClient
let clock: ManualClock
let sent: ReturnType<typeof createRecordingTransport>
let answer: Answer

beforeEach(async () => {
  answer = () => reply(200)
  sent = createRecordingTransport((...request) => answer(...request))
  clock = createManualClock()
  sluice = await createSluice({
    workspace: { workspaces: [theShop, neighbour] },
    transport: sent,
    clock,
    random: createSeededRandom(9),
    sandbox: { mode: 'in-process' },
    deletionsPerHour: 12,
  })
  api = await createApiClient(sluice, 'Bearer all')
})
afterEach(() => sluice.stop())

const regulate = (users: readonly object[], more: object = { regulationType: 'suppress_with_delete' }) =>
  api.post('/v2/regulations', { users, ...more })
const ids = async (): Promise<readonly string[]> =>
  ((await api.get('/v2/regulations')).body['data'] as readonly { id: string }[]).map(({ id }) => id)

interface ReportRow {
  readonly destination: string
  readonly status: string
  readonly reason?: string
}
const rowsOf = ({ body }: ApiAnswer) => body['data'] as readonly ReportRow[]

/** Creates a regulation with deletion. @returns a function that requests the report on it. */
async function deletionOf(user: object): Promise<() => Promise<ApiAnswer>> {
  expect((await regulate([user])).status).toBe(201)
  const id = (await ids()).at(-1)
  return () => api.get(`/v2/regulations/${id}/deletions`)
}
const statuses = async (ask: () => Promise<ApiAnswer>) =>
  Object.fromEntries(rowsOf(await ask()).map(({ destination, status }) => [destination, status]))
const becomes = (ask: () => Promise<ApiAnswer>) => eventually(() => statuses(ask))
const done = { Sluice: 'complete', 'Product analytics': 'complete', cache: 'complete', hook: 'aborted' }

const isAmplitude = (endpoint: string): boolean => endpoint.startsWith('https://amplitude.com/')

describe('the proof of a deletion', () => {
  it('is the text of the command, with the address of the server, as long as the regulation exists', async () => {
    const ask = await deletionOf({ userId: 'u1', email: 'u1@x.test' })
    await becomes(ask).toEqual(done)
    const [id] = await ids()
    const proof = await api.get(`/v2/regulations/${id}/report`)
    const report = (await ask()).body as unknown as RegulationReport
    const madeAt = '2026-01-01T00:00:00.000Z'
    const text = deletionReportText({ madeAt, server: 'http://sluice.test', regulations: [report], isOver: true })
    expect([proof.status, proof.text]).toEqual([200, `${text}\n`])
    expect(proof.text).toContain('u1@x.test')
    expect(await api.get('/v2/regulations/unknown/report')).toMatchObject({ status: 404 })
    expect((await api.as('Bearer neighbour').get(`/v2/regulations/${id}/report`)).status).toBe(404)
    expect((await api.as('Bearer read').get(`/v2/regulations/${id}/report`)).status).toBe(403)
  })

  it('is found by the Location of the regulation, where it is of one user', async () => {
    const one = await regulate([{ userId: 'u1' }])
    expect(one.headers.get('location')).toBe(`/v2/regulations/${(await ids())[0]}/deletions`)
    const two = await regulate([{ userId: 'u2' }, { userId: 'u3' }])
    expect([two.status, two.headers.get('location')]).toEqual([201, null])
  })
})

describe('the report on a deletion', () => {
  it('covers Sluice itself and every destination, with the reason where one cannot delete', async () => {
    const ask = await deletionOf({ userId: 'u1', email: 'u1@x.test' })
    await becomes(ask).toEqual(done)
    const at = '2026-01-01T00:00:00.000Z'
    expect((await ask()).body).toEqual({
      regulation: {
        id: (await ids())[0],
        regulationType: 'suppress_with_delete',
        attributes: { userId: 'u1', email: 'u1@x.test' },
        canceled: false,
        createdAt: at,
      },
      data: [
        {
          destination: 'Sluice',
          status: 'complete',
          attempts: 1,
          updatedAt: at,
        },
        {
          destinationId: 'amplitude',
          destination: 'Product analytics',
          status: 'complete',
          attempts: 1,
          updatedAt: at,
        },
        {
          destinationId: 'cache',
          destination: 'cache',
          status: 'complete',
          reason: 'erased by userId only; the product cannot use: email',
          attempts: 1,
          updatedAt: at,
        },
        {
          destinationId: 'hook',
          destination: 'hook',
          status: 'aborted',
          reason: 'destination not supported: Webhook cannot delete users',
          attempts: 1,
          updatedAt: at,
        },
      ],
      isOver: true,
    })
  })

  it('is running while a request is under way, and pending while others are', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    answer = async () => {
      await released
      return reply(200)
    }
    const first = await deletionOf({ userId: 'u1' })
    await becomes(first).toMatchObject({ 'Product analytics': 'running', hook: 'aborted' })
    const second = await deletionOf({ userId: 'u2' })
    await becomes(second).toMatchObject({ Sluice: 'complete', 'Product analytics': 'pending', hook: 'aborted' })
    expect([(await first()).body['isOver'], (await second()).body['isOver']]).toEqual([false, false])
    release()
    for (const ask of [first, second]) await becomes(ask).toEqual(done)
  })

  it('is failed until the next try, whose time it shows, with a reason that contains no secret of the settings', async () => {
    answer = ({ endpoint }) => (isAmplitude(endpoint) ? reply(503, `busy: ${secret} ${credentials}`) : reply(200))
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual({ ...done, 'Product analytics': 'failed' })
    const failed = await ask()
    expect(rowsOf(failed)[1]).toMatchObject({
      reason: expect.stringMatching(/^amplitude\.com: It answered 503\./),
      attempts: 1,
      nextAt: '2026-01-01T00:01:00.000Z',
    })
    expect(failed.body['isOver']).toBe(false)
    for (const hidden of [secret, credentials]) expect(failed.text).not.toContain(hidden)
    // The replies do contain the secrets.
    expect(sent.requests.find(({ endpoint }) => isAmplitude(endpoint))?.headers).toMatchObject({
      Authorization: `Basic ${credentials}`,
    })
    answer = () => reply(200)
    clock.advance(60_000)
    await becomes(ask).toEqual(done)
    expect(rowsOf(await ask())[1]).toMatchObject({ attempts: 2, updatedAt: '2026-01-01T00:01:00.000Z' })
  })

  it('is aborted as cancelled where the deletion had not been done yet, and stays as it is where it was over', async () => {
    answer = ({ endpoint }) => reply(isAmplitude(endpoint) ? 503 : 200)
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual({ ...done, 'Product analytics': 'failed' })
    clock.advance(5_000)
    await api.delete(`/v2/regulations/${(await ids())[0]}`)
    const cancelled = await ask()
    expect(rowsOf(cancelled)[1]).toMatchObject({
      status: 'aborted',
      reason: 'cancelled',
      updatedAt: '2026-01-01T00:00:05.000Z',
    })
    expect(rowsOf(cancelled)[1]).not.toHaveProperty('nextAt')
    expect(await statuses(ask)).toEqual({ ...done, 'Product analytics': 'aborted' })
    expect(cancelled.body).toMatchObject({ regulation: { canceled: true }, isOver: true })
  })

  it('is complete where a person has done what no program could, with who and how', async () => {
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual(done)
    const path = `/v2/regulations/${(await ids())[0]}/deletions`
    const ada = api.as(basic('ada@shop.test', 'all'))
    const answered = await ada.post(`${path}/hook/done`, { note: 'Asked Bob of the shop by phone.' })
    const how = 'done by a person, ada@shop.test: Asked Bob of the shop by phone.'
    expect(answered.status).toBe(200)
    expect(rowsOf(answered).find(({ destination }) => destination === 'hook')).toMatchObject({
      status: 'complete',
      byHand: true,
      reason: how,
    })
    expect(rowsOf(await ask())).toEqual(rowsOf(answered))
    expect(rowsOf(answered).filter((row) => 'byHand' in row)).toHaveLength(1)
    const text = await (
      await sluice.fetch(
        new Request(`http://x/v2/regulations/${(await ids())[0]}/report`, { headers: { authorization: 'Bearer all' } }),
      )
    ).text()
    expect(text).toContain(how)
    expect(text).toContain('complete: nothing more will be done')
    const { data } = (await api.get('/v2/changes?kind=doneByHand')).body as unknown as { data: { text: string }[] }
    expect(data.map((change) => change.text)).toEqual(['deleted one user at destination hook by hand'])
  })

  it('is tried at once when a person wants it, where it failed and waits', async () => {
    answer = (request) => reply(isAmplitude(request.endpoint) ? 503 : 200)
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual({ ...done, 'Product analytics': 'failed' })
    const path = `/v2/regulations/${(await ids())[0]}/deletions`
    answer = () => reply(200)
    // No time passes: its next attempt would not begin.
    const tried = await api.as('Bearer operate').post(`${path}/amplitude/try`)
    expect(tried.status).toBe(200)
    expect(rowsOf(tried).map(({ destination }) => destination)).toContain('Product analytics')
    await becomes(ask).toEqual(done)
    const { data } = (await api.get('/v2/changes?kind=tried')).body as unknown as { data: { text: string }[] }
    expect(data.map(({ text }) => text)).toEqual([
      'tried the deletion of one user at destination Product analytics again',
    ])
  })

  it('is not tried where none failed, by operators of another workspace, or without the scope', async () => {
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual(done)
    const path = `/v2/regulations/${(await ids())[0]}/deletions`
    for (const destination of ['amplitude', 'hook', 'unknown'])
      expect(await api.post(`${path}/${destination}/try`)).toMatchObject({
        status: 409,
        body: { code: 'deletionNotWaiting' },
      })
    for (const token of ['write', 'read'])
      expect((await api.as(`Bearer ${token}`).post(`${path}/amplitude/try`)).status).toBe(403)
    expect((await api.as('Bearer neighbour').post(`${path}/amplitude/try`)).status).toBe(404)
  })

  it('is completed by a person only where it was aborted, with a note, by operators who may write', async () => {
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual(done)
    const path = `/v2/regulations/${(await ids())[0]}/deletions`
    const note = 'done'
    for (const destination of ['amplitude', 'unknown', ''])
      expect((await api.post(`${path}/${destination}/done`, { note })).status).toBe(destination === '' ? 404 : 409)
    expect(await api.post(`${path}/hook/done`, { note: ' ' })).toMatchObject({ status: 400 })
    expect(await api.post(`${path}/hook/done`, {})).toMatchObject({ status: 400 })
    for (const token of ['operate', 'write', 'read'])
      expect((await api.as(`Bearer ${token}`).post(`${path}/hook/done`, { note })).status).toBe(403)
    expect((await api.as('Bearer neighbour').post(`${path}/hook/done`, { note })).status).toBe(404)
    expect(await statuses(ask)).toEqual(done)
  })

  it('is empty for a user who is only suppressed', async () => {
    await regulate([{ userId: 'u1' }], { regulationType: 'suppress' })
    const answer = await api.get(`/v2/regulations/${(await ids())[0]}/deletions`)
    expect(answer).toMatchObject({ status: 200, body: { data: [], isOver: true } })
  })

  it('is open only to operators of the workspace of the regulation', async () => {
    const ask = await deletionOf({ userId: 'u1' })
    await becomes(ask).toEqual(done)
    const path = `/v2/regulations/${(await ids())[0]}/deletions`
    for (const [token, status, code] of [
      ['operate', 200, undefined],
      ['read', 403, 'scopeMissing'],
      ['write', 403, 'scopeMissing'],
      ['unknown', 401, 'unauthorized'],
      ['neighbour', 404, 'regulationUnknown'],
    ] as const) {
      const { status: got, body } = await api.as(`Bearer ${token}`).get(path)
      expect([token, got, body['code']]).toEqual([token, status, code])
    }
    expect((await api.as('').get(path)).status).toBe(401)
  })

  it('is answered 404 for an unknown regulation', async () => {
    for (const id of ['no-such-id', '01900000-0000-7000-8000-000000000001', '%F0%9F'])
      expect(await api.get(`/v2/regulations/${id}/deletions`)).toMatchObject({ status: 404 })
  })
})

describe('more deletions than an hour allows', () => {
  it('are refused with 429: nothing of the request is kept, what is left of the limit stays usable, and the next hour has a new limit', async () => {
    const two = [{ userId: 'u1' }, { userId: 'u2' }]
    expect((await regulate(two)).status).toBe(201)
    expect(await regulate([{ userId: 'u3' }, { userId: 'u4' }])).toMatchObject({
      status: 429,
      body: { code: 'deletionsTooMany', message: expect.stringMatching(/^8 deletions .* what is left of the 12 /) },
    })
    expect(await ids()).toHaveLength(2)
    expect((await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u3' }])).ok).toBe(true)
    await sluice.settled()
    expect(sent.requests.filter(({ endpoint }) => endpoint === 'http://hook.test/')).toHaveLength(1)
    // Neither plain suppressions nor another workspace count.
    expect((await regulate(two, { regulationType: 'suppress' })).status).toBe(201)
    const body = { regulationType: 'suppress_with_delete', users: two }
    expect((await api.as('Bearer neighbour').post('/v2/regulations', body)).status).toBe(201)
    expect((await regulate([{ userId: 'u3' }])).status).toBe(201)
    expect((await regulate([{ userId: 'u4' }])).status).toBe(429)
    clock.advance(3_600_000)
    expect((await regulate([{ userId: 'u4' }])).status).toBe(201)
  })
})
