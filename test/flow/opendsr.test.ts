import { verify, X509Certificate } from 'node:crypto'
import { createManualClock, createSeededRandom, type JsonObject, systemClock } from '@sluice/core'
import { hasValidSignature } from '@sluice/regulation'
import { createFolderLedgerPlace, createMemoryStore, openSqliteStore } from '@sluice/storage'
import type { WorkspaceDefinition } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { hashOf } from '../support/http/api-client.ts'
import { type Answer, type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces({ clock: systemClock, allowAddresses: ['localhost'] })
const accessTokens: NonNullable<WorkspaceDefinition['accessTokens']> = [{ name: 'all', token: hashOf('all') }]
const id = 'a7551968-d5d6-44b2-9831-815ac9017798'
const customer = { identity_type: 'controller_customer_id', identity_value: 'kim-4711', identity_format: 'raw' }

const receivers: Receiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})
async function receive(answer?: Answer): Promise<Receiver> {
  const receiver = await startReceiver(answer)
  receivers.push(receiver)
  return receiver
}

async function scene(options: ServeOptions & { configured?: NonNullable<WorkspaceDefinition['destinations']> } = {}) {
  const { configured = [], ...more } = options
  const place = createFolderLedgerPlace(serve.file('ledger'), createSeededRandom(5))
  const workspace = shop('', { destinations: configured, connections: [], accessTokens })
  const { sluice, api } = await serve({ workspace, ledger: { place }, ...more })
  const call = await api('Bearer all')
  const order = (callback: string | undefined, more: object = {}) =>
    call.post('/opendsr/v2/requests', {
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: '2026-10-02T15:00:00Z',
      subject_identities: [customer],
      api_version: '2.0',
      status_callback_urls: callback === undefined ? undefined : [callback],
      ...more,
    })
  const status = async () => (await call.get(`/opendsr/v2/requests/${id}`)).body
  return { sluice, call, order, status }
}
const bodiesOf = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body) as JsonObject)

describe('a privacy tool that orders an erasure', () => {
  it('is called back with a signed status when it is done, and fetches the certificate', async () => {
    const privacyTool = await receive(() => 202)
    const { sluice, call, order, status } = await scene()
    await sluice.ingest('web-key', [{ type: 'track', event: 'Paid', userId: 'kim-4711' }])
    await sluice.settled()
    const url = `${privacyTool.url}/callbacks`
    expect((await order(url)).status).toBe(201)
    await eventually(() => bodiesOf(privacyTool).at(-1)?.['request_status']).toBe('completed')
    const [last] = privacyTool.received.slice(-1)
    const body = bodiesOf(privacyTool).at(-1) ?? {}
    expect([last?.method, last?.path, last?.headers['content-type']]).toEqual([
      'POST',
      '/callbacks',
      'application/json',
    ])
    expect(body).toMatchObject({
      controller_id: 'shop',
      status_callback_url: url,
      subject_request_id: id,
      results_url: `http://sluice.test/opendsr/v2/requests/${id}/results`,
      expected_completion_time: expect.stringMatching(/Z$/),
    })

    const { body: found } = await call.get('/opendsr/v2/discovery')
    const { pathname } = new URL(String(found['processor_certificate']))
    const { publicKey, subjectAltName } = new X509Certificate((await call.get(pathname)).text)
    expect([subjectAltName, last?.headers['x-opendsr-processor-domain']]).toEqual(['DNS:sluice.test', 'sluice.test'])
    const signature = Buffer.from(String(last?.headers['x-opendsr-signature']), 'base64')
    expect(verify(null, Buffer.from(last?.body ?? ''), publicKey, signature)).toBe(true)
    expect(verify(null, Buffer.from(`${last?.body} `), publicKey, signature)).toBe(false)

    expect(await status()).toMatchObject({ request_status: 'completed' })
    const certificate = (await call.get(new URL(String(body['results_url'])).pathname)).body
    expect(certificate).toMatchObject({ request_status: 'completed', subject_request_type: 'erasure' })
    const verified = await call.post(`/v2/regulations/${certificate['subject_request_id']}/verification`, {
      certificate,
    })
    expect(verified.body['holds']).toBe(true)
    await sluice.ingest('web-key', [{ type: 'track', event: 'Paid', userId: 'kim-4711' }])
    await sluice.settled()
    expect((await call.get('/v2/users/kim-4711/report')).body['held']).toEqual([])
  })

  it('gets no false completion where a destination could not delete', async () => {
    const privacyTool = await receive()
    const hook = { id: 'hook', type: 'WEBHOOK' as const, settings: { webhookUrl: 'http://hook.test/' } }
    const { call, order } = await scene({ configured: [hook] })
    await order(privacyTool.url)
    const over = () => bodiesOf(privacyTool).find(({ results_url }) => results_url !== undefined)
    await eventually(over).toMatchObject({
      request_status: 'in_progress',
      extensions: { 'sluice.test': { is_over: true, deletions: { total: 2, complete: 1, open: 0, aborted: 1 } } },
    })
    const { body } = await call.get(`/opendsr/v2/requests/${id}/results`)
    expect(body['request_status']).toBe('incomplete')
  })

  it('erases the users of all addresses and the guests who have one, with one status and one certificate', async () => {
    const privacyTool = await receive()
    const { sluice, call, order, status } = await scene()
    const traits = { email: 'Kim@mail.test' }
    await sluice.ingest('web-key', [
      { type: 'identify', userId: 'kim-4711', traits },
      { type: 'identify', userId: 'kim-old', traits: { email: 'kim@old.test' } },
      { type: 'track', event: 'Visited', anonymousId: 'guest-1', context: { traits } },
      { type: 'identify', userId: 'lee', traits: { email: 'lee@mail.test' } },
    ])
    await sluice.settled()
    const by = (identity_value: string) => ({ identity_type: 'email', identity_value, identity_format: 'raw' })
    const subject_identities = [by('kim@mail.test'), by('kim@old.test')]
    expect((await order(privacyTool.url, { subject_identities })).status).toBe(201)
    await eventually(() => bodiesOf(privacyTool).at(-1)?.['request_status']).toBe('completed')
    const { regulations } = await sluice.regulations.list('shop', { limit: 10 })
    expect(regulations.map(({ attributes }) => attributes['userId']).toSorted()).toEqual([
      'guest-1',
      'kim-4711',
      'kim-old',
    ])
    expect(await status()).toMatchObject({
      request_status: 'completed',
      extensions: {
        'sluice.test': { regulation_ids: regulations.map((each) => each.id), deletions: { total: 3, complete: 3 } },
      },
    })

    const { body: certificate } = await call.get(`/opendsr/v2/requests/${id}/results`)
    expect(certificate).toMatchObject({ subject_request_id: id, request_status: 'completed' })
    // Signatures and digests may have any letters.
    expect(JSON.stringify(certificate).replaceAll(/[\w+/=-]{43,}/g, '')).not.toMatch(/kim|guest-1/i)
    expect(await hasValidSignature(certificate as JsonObject)).toBe(true)
    expect(await hasValidSignature({ ...(certificate as JsonObject), controller_id: 'other' })).toBe(false)
    const parts = certificate['certificates'] as readonly JsonObject[]
    expect(parts.map((part) => part['subject_request_id'])).toEqual(regulations.map((each) => each.id))
    for (const part of parts) {
      const path = `/v2/regulations/${part['subject_request_id']}/verification`
      expect((await call.post(path, { certificate: part })).body['holds']).toBe(true)
    }
    await sluice.ingest('web-key', [
      { type: 'track', event: 'Visited', anonymousId: 'guest-1' },
      { type: 'track', event: 'Visited', userId: 'kim-old' },
      { type: 'track', event: 'Visited', userId: 'lee' },
    ])
    await sluice.settled()
    for (const [userId, held] of [
      ['guest-1', false],
      ['kim-old', false],
      ['lee', true],
    ] as const)
      expect(JSON.stringify((await call.get(`/v2/users/${userId}/report`)).body['held']) !== '[]').toBe(held)
  })

  it('gets one report of all ids of a person', async () => {
    const { sluice, call, order } = await scene()
    const by = (userId: string) => ({ type: 'track', event: 'Paid', userId })
    await sluice.ingest('web-key', [by('kim-4711'), by('kim-old'), by('kim-old')])
    await sluice.settled()
    const of = async (userId: string) => (await call.get(`/v2/users/${userId}/report`)).body['held']
    const countOf = (held: unknown) =>
      (held as readonly { where: string; count: number }[]).find(({ where }) => where === 'event log')?.count ?? 0
    const counts = [countOf(await of('kim-4711')), countOf(await of('kim-old'))]
    const other = { ...customer, identity_value: 'kim-old' }
    await order(undefined, { subject_request_type: 'access', subject_identities: [customer, other] })
    const { body } = await call.get(`/opendsr/v2/requests/${id}/results`)
    expect(countOf(body['held'])).toBe((counts[0] ?? 0) + (counts[1] ?? 0))
  })

  it('finds a person by an address that one user has, and erases no other', async () => {
    const { sluice, order, status } = await scene()
    const identify = (userId: string, email: string) => ({ type: 'identify', userId, traits: { email } })
    await sluice.ingest('web-key', [
      identify('kim-4711', 'Kim@mail.test'),
      identify('u2', 'two@mail.test'),
      identify('u3', 'two@mail.test'),
    ])
    await sluice.settled()
    const by = (email: string) => ({
      subject_identities: [{ identity_type: 'email', identity_value: email, identity_format: 'raw' }],
    })
    expect((await order(undefined, by('none@mail.test'))).body).toMatchObject({
      error: { code: 400, errors: [{ reason: 'subjectUnknown' }] },
    })
    expect((await order(undefined, by('kim@mail.test'))).status).toBe(201)
    await eventually(async () => (await status())['request_status']).toBe('completed')
    const { regulations } = await sluice.regulations.list('shop', { limit: 10 })
    expect(regulations.map(({ attributes }) => attributes)).toEqual([{ userId: 'kim-4711', email: 'kim@mail.test' }])
  })
})

describe('a call-back', () => {
  it('is tried again with growing waits, and given up after eight attempts', async () => {
    const clock = createManualClock()
    const privacyTool = await receive(() => 500)
    const warnings: unknown[] = []
    const logger = {
      debug: () => {},
      info: () => {},
      warn: (fields: object, text: string) => warnings.push({ ...fields, text }),
      error: () => {},
    }
    const store = createMemoryStore({ clock, random: createSeededRandom(3) })
    const { order, status } = await scene({ clock, logger, store })
    const attempts = async () => (await store.regulations.requests.find('shop', id))?.callbacks[0]?.attempts
    await order(privacyTool.url, { subject_request_type: 'access' })
    const waits = [30, 120, 480, 1_920, 7_680, 21_600, 21_600]
    for (const [index, seconds] of waits.entries()) {
      await eventually(attempts).toBe(index + 1)
      expect(privacyTool.received.length).toBe(index + 1)
      clock.advance(seconds * 1_000)
    }
    await eventually(() => status()).toMatchObject({
      extensions: { 'sluice.test': { callbacks: { open: 0, failed: 1 } } },
    })
    expect(privacyTool.received.length).toBe(8)
    expect(warnings).toEqual([
      { workspace: 'shop', request: id, reason: 'status 500', text: 'a call-back of OpenDSR was given up' },
    ])
  })

  it('follows no redirect', async () => {
    const other = await receive()
    const privacyTool = await receive((_, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    const { order } = await scene()
    await order(privacyTool.url, { subject_request_type: 'access' })
    await eventually(() => privacyTool.received.length).toBe(1)
    expect(other.received).toEqual([])
  })

  it('that failed is sent after a restart', async () => {
    let isDown = true
    const clock = createManualClock()
    const privacyTool = await receive(() => (isDown ? 503 : 200))
    const path = serve.file('store.db')
    const open = () => openSqliteStore({ path, thread: 'this', clock, random: createSeededRandom(3) })
    const first = await scene({ clock, store: await open() })
    await first.order(privacyTool.url, { subject_request_type: 'access' })
    await eventually(() => privacyTool.received.length).toBe(1)
    await first.sluice.stop()
    isDown = false
    clock.advance(60_000)
    const { status } = await scene({ clock, store: await open() })
    await eventually(() => status()).toMatchObject({
      extensions: { 'sluice.test': { callbacks: { open: 0, failed: 0 } } },
    })
    expect(bodiesOf(privacyTool).map(({ request_status }) => request_status)).toEqual(['completed', 'completed'])
  })

  it('to an address that is not public is refused, unless the operator allows it', async () => {
    const { order } = await scene({ allowAddresses: [] })
    for (const address of ['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/x'])
      expect((await order(address)).body).toMatchObject({
        error: { code: 400, message: 'status_callback_urls[0]: is not a public address' },
      })
    expect((await order('http://privacy.test/')).body).toMatchObject({
      error: { message: 'status_callback_urls[0]: must begin with https://' },
    })
    expect((await order('https://user:secret@privacy.test/')).text).not.toContain('secret')
  })

  it('keeps nothing of the person, nor the address when it was called', async () => {
    const privacyTool = await receive()
    const store = createMemoryStore({ clock: systemClock, random: createSeededRandom(3) })
    const { order, status } = await scene({ store })
    await order(`${privacyTool.url}/secret-path`, { subject_request_type: 'portability' })
    await eventually(() => openCallbacks(status)).toBe(0)
    const kept = JSON.stringify(await store.regulations.requests.find('shop', id))
    expect(kept).not.toMatch(/kim|secret-path/)
  })
})

async function openCallbacks(status: () => Promise<JsonObject | { readonly [member: string]: unknown }>) {
  const { extensions } = (await status()) as { extensions?: Record<string, { callbacks?: { open?: number } }> }
  return extensions?.['sluice.test']?.callbacks?.open
}
