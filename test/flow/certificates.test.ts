import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createManualClock, createSeededRandom, type JsonObject, systemClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import type { Store } from '@sluice/pipeline'
import { createFolderLedgerPlace, createMemoryStore, openSqliteStore } from '@sluice/storage'
import type { WorkspaceDefinition } from 'sluice'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces({ clock: systemClock })
const amplitude = {
  id: 'amplitude',
  name: 'Product analytics',
  type: 'AM' as const,
  settings: { apiKey: 'k', apiSecret: 's' },
}
const hook = { id: 'hook', type: 'WEBHOOK' as const, settings: { webhookUrl: 'http://hook.test/' } }
const accessTokens: NonNullable<WorkspaceDefinition['accessTokens']> = [
  { name: 'all', token: hashOf('all') },
  { name: 'read', token: hashOf('read'), scopes: ['read'] },
]
const person = { userId: 'kim-4711', email: 'kim@mail.test' }
const track = (userId: string, more: object = {}) => ({ type: 'track', event: 'Paid', userId, ...more })

const stores: readonly (readonly [string, () => Store | Promise<Store>])[] = [
  ['memory', () => createMemoryStore({ clock: systemClock, random: createSeededRandom(3) })],
  ['SQLite', () => openSqliteStore({ path: ':memory:', clock: systemClock, random: createSeededRandom(3) })],
]

/** Answers like Amplitude, which has no users. */
const ofAmplitude: NonNullable<ServeOptions['answer']> = ({ endpoint }) =>
  reply(200, endpoint.endsWith('/usersearch') ? '{"matches":[]}' : '')

async function scene({
  configured = [amplitude],
  ...more
}: ServeOptions & { configured?: NonNullable<WorkspaceDefinition['destinations']> } = {}) {
  const folder = serve.file('ledger')
  const place = createFolderLedgerPlace(folder, createSeededRandom(5))
  const workspace = shop('', { destinations: configured, connections: [], accessTokens })
  const { sluice, api } = await serve({ workspace, ledger: { place }, answer: ofAmplitude, ...more })
  const call = await api('Bearer all')
  const regulate = async (body: object = {}): Promise<string> => {
    const regulation = { regulationType: 'suppress_with_delete', users: [person], ...body }
    const { status, headers } = await call.post('/v2/regulations', regulation)
    expect(status).toBe(201)
    return headers.get('location')?.split('/')[3] ?? ''
  }
  const isOver = async (id: string) => (await call.get(`/v2/regulations/${id}/deletions`)).body['isOver']
  const certified = async (id: string): Promise<JsonObject> => {
    await eventually(() => isOver(id)).toBe(true)
    const { status, body } = await call.get(`/v2/regulations/${id}/certificate`)
    expect(status).toBe(200)
    return body as JsonObject
  }
  const verify = async (id: string, certificate: unknown) =>
    call.post(`/v2/regulations/${id}/verification`, { certificate })
  return { sluice, api, call, folder, regulate, certified, verify }
}

const placesOf = (certificate: JsonObject) => certificate['places'] as readonly JsonObject[]

describe.each(stores)('a certificate of deletion (%s)', (_, open) => {
  it('is complete when every place is, names what was searched and how, and holds no id of the person', async () => {
    const { sluice, regulate, certified, verify } = await scene({ store: await open() })
    await sluice.ingest('web-key', [track(person.userId), track('other', { properties: { to: 'KIM@mail.test' } })])
    await sluice.settled()
    const id = await regulate()
    const certificate = await certified(id)
    expect(certificate).toMatchObject({
      subject_request_id: id,
      subject_request_type: 'erasure',
      controller_id: 'shop',
      request_status: 'completed',
      subject_identities: [
        { identity_type: 'email', identity_format: 'hmac-sha256' },
        { identity_type: 'controller_customer_id', identity_format: 'hmac-sha256' },
      ],
      ledger: { line: 1, place: expect.stringContaining('ledger') },
      processor: expect.stringMatching(/^Sluice \d/),
    })
    expect(placesOf(certificate).map(({ name, searched_by, status }) => [name, searched_by, status])).toEqual([
      ['event log', ['email', 'userId'], 'complete'],
      ['waiting for a destination', ['email', 'userId'], 'complete'],
      ['dead letters', ['email', 'userId'], 'complete'],
      ['receipts', ['email', 'userId'], 'complete'],
      ['samples of the catalogue', ['email', 'userId'], 'complete'],
      ['frequent values of the catalogue', ['email', 'userId'], 'complete'],
      ['Product analytics', ['userId'], 'complete'],
    ])
    expect(JSON.stringify(certificate)).not.toMatch(/kim[-@]/i)
    expect((await verify(id, certificate)).body).toEqual({
      holds: true,
      isSigned: true,
      isLedgerKey: true,
      isCanceled: false,
      searched: [
        ...[
          'event log',
          'waiting for a destination',
          'dead letters',
          'receipts',
          'samples of the catalogue',
          'frequent values of the catalogue',
        ].map((where) => ({ where, count: 0 })),
        {
          where: 'Product analytics',
          destinationId: 'amplitude',
          count: 0,
          note: 'by userId only; exactly as the regulation has it',
        },
      ],
      notSearched: [],
    })
  })

  it('does not hold any more when the person came back, and says since when', async () => {
    const { sluice, call, regulate, certified, verify } = await scene({ store: await open() })
    const id = await regulate()
    const certificate = await certified(id)
    await call.delete(`/v2/regulations/${id}`)
    const cancelled = await verify(id, certificate)
    const at = expect.stringMatching(/^\d{4}-.+Z$/)
    expect(cancelled.body).toMatchObject({ holds: true, isCanceled: true, canceledAt: at })
    await sluice.ingest('web-key', [track(person.userId, { properties: { mail: person.email } })])
    await sluice.settled()
    const { body } = await verify(id, certificate)
    expect(body).toMatchObject({ holds: false, isSigned: true, isLedgerKey: true })
    expect(body).not.toHaveProperty('ledgerProblem')
    const found = (body['searched'] as readonly JsonObject[]).filter(({ count }) => count !== 0)
    expect(found).toEqual([
      { where: 'event log', count: 1, since: at },
      { where: 'samples of the catalogue', count: 1 },
      { where: 'frequent values of the catalogue', count: expect.any(Number) },
    ])
    const later = await certified(id)
    expect([later['request_status'], placesOf(later)[0]]).toMatchObject([
      'cancelled',
      { name: 'event log', status: 'found', reason: '1 found when the certificate was made' },
    ])
  })
})

describe('a certificate of deletion', () => {
  it('is not complete when a destination could not delete, or was not named', async () => {
    const { regulate, certified, verify } = await scene({ configured: [amplitude, hook] })
    const all = await regulate()
    const aborted = await certified(all)
    expect([aborted['request_status'], placesOf(aborted).at(-1)]).toEqual([
      'incomplete',
      expect.objectContaining({
        destination_id: 'hook',
        destination_type: 'WEBHOOK',
        searched_by: [],
        status: 'not_supported',
        reason: 'destination not supported: Webhook cannot delete users',
      }),
    ])
    expect((await verify(all, aborted)).body).toMatchObject({
      holds: true,
      notSearched: [{ where: 'hook', destinationId: 'hook', reason: 'Sluice cannot search destinations of this type' }],
    })
    const partly = await certified(await regulate({ destinationIds: ['amplitude'] }))
    expect([partly['request_status'], placesOf(partly).at(-1)]).toMatchObject([
      'incomplete',
      { name: 'hook', status: 'not_requested', reason: 'the regulation does not name this destination' },
    ])
  })

  it('is refused while deletions are not over, for a regulation that deletes nothing, and for an unknown one', async () => {
    const { call, regulate } = await scene({ answer: () => reply(503), clock: createManualClock() })
    const open = await regulate()
    const suppressing = await regulate({ regulationType: 'suppress', users: [{ userId: 'u2' }] })
    for (const [id, status, code, message] of [
      [open, 409, 'deletionsOpen', /of 2 deletions are not over yet/],
      [suppressing, 409, 'deletionsNone', /deletes nothing/],
      ['unknown', 404, 'regulationUnknown', /no such regulation/],
    ] as const)
      expect(await call.get(`/v2/regulations/${id}/certificate`)).toMatchObject({
        status,
        body: { code, message: expect.stringMatching(message) },
      })
  })

  it('needs a ledger, and says how to get one', async () => {
    const { sluice, api } = await serve({
      workspace: { ...shop('http://hook.test/'), accessTokens },
    })
    const users = [person]
    const [made] = await sluice.regulations.create('shop', { regulationType: 'suppress_with_delete', users })
    const path = `/v2/regulations/${made?.id}/certificate`
    expect(await (await api('Bearer all')).get(path)).toMatchObject({
      status: 409,
      body: { code: 'ledgerMissing', message: expect.stringContaining('--ledger') },
    })
    expect((await (await api('Bearer read')).get(path)).status).toBe(403)
  })

  it('has the ids that the caller gives, if they are those of the person', async () => {
    const { call, regulate, certified, verify } = await scene()
    const id = await regulate()
    await certified(id)
    const path = `/v2/regulations/${id}/certificate`
    const { body } = await call.post(path, { ids: { userId: ' kim-4711 ' } })
    const identities = body['subject_identities'] as readonly JsonObject[]
    expect(identities.at(-1)).toEqual({
      identity_type: 'controller_customer_id',
      identity_format: 'raw',
      identity_value: 'kim-4711',
    })
    expect((await verify(id, body)).body['holds']).toBe(true)
    const written = await call.post(path, { ids: { email: 'KIM@Mail.test ' } })
    expect((written.body['subject_identities'] as readonly JsonObject[]).at(-1)).toEqual({
      identity_type: 'email',
      identity_format: 'raw',
      identity_value: 'kim@mail.test',
    })
    for (const ids of [{ userId: 'kim' }, { phone: '1' }, { constructor: 'x' }]) {
      const refused = await call.post(path, { ids })
      expect([refused.status, refused.body['code']]).toEqual([400, 'identityUnknown'])
    }
  })

  it('takes a phone number however its digits are grouped, and says what was not searched by other identifiers', async () => {
    const { call, regulate, certified } = await scene()
    const id = await regulate({ users: [{ userId: 'ledger:kim', phone: '+49 (30) 12', loyalty: '77' }] })
    const certificate = await certified(id)
    expect(certificate['request_status']).toBe('completed')
    expect(placesOf(certificate)[0]?.['searched_by']).toEqual(['phone', 'userId'])
    expect((certificate['kept'] as readonly string[]).slice(-2)).toEqual([
      'events in the log, dead letters and events that wait, if they name the person by no other identifier than loyalty',
      'records in Product analytics, if they name the person by no identifier in searched_by',
    ])
    const path = `/v2/regulations/${id}/certificate`
    const { body } = await call.post(path, { ids: { phone: '+49/3012', userId: 'ledger:kim\u200b' } })
    expect((body['subject_identities'] as readonly JsonObject[]).slice(-2)).toMatchObject([
      { identity_type: 'phone', identity_value: '493012' },
      { identity_type: 'controller_customer_id', identity_value: 'ledger:kim' },
    ])
  })

  it('does not hold when it was changed, signed with another key, or its line of the ledger was changed', async () => {
    const { call, folder, regulate, certified, verify } = await scene()
    const id = await regulate()
    const certificate = await certified(id)
    const upright = { ...certificate, request_status: 'cancelled' }
    expect((await verify(id, upright)).body).toMatchObject({ holds: false, isSigned: false, isLedgerKey: true })

    for (const wrong of [{}, { certificate_version: 2 }, { ...certificate, subject_request_id: 'other' }])
      expect(await verify(id, wrong)).toMatchObject({ status: 400, body: { code: 'certificateInvalid' } })
    const elsewhere = { ...certificate, ledger: { ...(certificate['ledger'] as object), chain: '../ledger/x' } }
    expect((await verify(id, elsewhere)).body['ledgerProblem']).toMatch(/there is no chain/)

    const chain = readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? ''
    const text = await readFile(join(folder, chain), 'utf8')
    await writeFile(join(folder, chain), text.replace('"records"', ' "records"'))
    expect((await verify(id, certificate)).body).toMatchObject({
      holds: false,
      isSigned: true,
      ledgerProblem: expect.stringMatching(/^line 1 of chain .+ is not the one that was certified$/),
    })
    await writeFile(join(folder, chain), 'nothing\n')
    expect((await call.get(`/v2/regulations/${id}/certificate`)).body['code']).toBe('ledgerUnreadable')
    await writeFile(join(folder, chain), text)
    const other = await call.get(`/v2/regulations/${id}/certificate`)
    expect((await verify(id, other.body)).body['holds']).toBe(true)
  })

  it('does not hold when its key is not that of the ledger', async () => {
    const { folder, regulate, certified, verify } = await scene()
    const id = await regulate()
    const certificate = await certified(id)
    const foreign = createFolderLedgerPlace(serve.file('foreign'), createSeededRandom(6))
    const { sluice } = await serve({
      workspace: { ...shop('http://hook.test/'), accessTokens },
      ledger: { place: foreign },
    })
    const request = { regulationType: 'suppress_with_delete', users: [person] } as const
    const [made] = await sluice.regulations.create('shop', request)
    await eventually(async () => {
      const jobs = await sluice.deletions.ofRegulation('shop', made?.id ?? '')
      return jobs.every(({ status }) => status === 'complete' || status === 'aborted')
    }).toBe(true)
    await sluice.certificates.make('shop', made?.id ?? '')
    await writeFile(join(folder, 'signingKey'), (await foreign.kept('signingKey')) ?? '')
    expect((await verify(id, certificate)).body).toMatchObject({ holds: false, isSigned: true, isLedgerKey: false })
  })
})
