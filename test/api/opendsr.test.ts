import { createSeededRandom, type JsonObject, systemClock } from '@sluice/core'
import { createFolderLedgerPlace } from '@sluice/storage'
import type { WorkspaceDefinition } from 'sluice'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createGatedTransport } from '../support/faults/gated-transport.ts'
import { hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces({ clock: systemClock })
const accessTokens: NonNullable<WorkspaceDefinition['accessTokens']> = [
  { name: 'all', token: hashOf('all') },
  { name: 'read', token: hashOf('read'), scopes: ['read'] },
  { name: 'admin', token: hashOf('admin'), scopes: ['admin'] },
  { name: 'operate', token: hashOf('operate'), scopes: ['read', 'operate'] },
]
const amplitude = {
  id: 'amplitude',
  name: 'Product analytics',
  type: 'AM' as const,
  settings: { apiKey: 'k', apiSecret: 's' },
}
const id = 'a7551968-d5d6-44b2-9831-815ac9017798'
const path = `/opendsr/v2/requests/${id}`

async function scene(options: ServeOptions & { hasLedger?: boolean } = {}) {
  const { hasLedger = true, ...more } = options
  const place = createFolderLedgerPlace(serve.file('ledger'), createSeededRandom(5))
  const workspace = shop('', { destinations: [amplitude], connections: [], accessTokens })
  const { sluice, api } = await serve({ workspace, ledger: hasLedger ? { place } : undefined, ...more })
  const call = await api('Bearer all')
  return { sluice, call, order: (body: unknown = request()) => call.post('/opendsr/v2/requests', body) }
}

/** The request of the specification, with the identities of its example and those that Sluice finds persons by. */
const request = (more: JsonObject = {}): JsonObject => ({
  regulation: 'ccpa',
  subject_request_id: id,
  subject_request_type: 'erasure',
  submitted_time: '2018-10-02T15:00:00Z',
  subject_identities: [
    { identity_type: 'controller_customer_id', identity_value: 'johndoe', identity_format: 'raw' },
    { identity_type: 'email', identity_value: 'johndoe@example.test', identity_format: 'raw' },
  ],
  api_version: '2.0',
  ...more,
})
const isSigned = {
  'x-opendsr-processor-domain': 'sluice.test',
  'x-opendsr-signature': expect.stringMatching(/^[\w+/]{86}==$/),
}
const signatureOf = (headers: Headers) => ({
  'x-opendsr-processor-domain': headers.get('x-opendsr-processor-domain'),
  'x-opendsr-signature': headers.get('x-opendsr-signature'),
})
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/)

describe('OpenDSR, as its specification shows it', () => {
  it('describes itself to everyone', async () => {
    const { call } = await scene()
    const { status, body } = await call.as('').get('/opendsr/v2/discovery')
    expect([status, body]).toEqual([
      200,
      {
        api_version: '2.0',
        supported_identities: expect.arrayContaining([
          { identity_type: 'controller_customer_id', identity_format: 'raw' },
          { identity_type: 'email', identity_format: 'raw' },
        ]),
        supported_subject_request_types: ['erasure', 'access', 'portability'],
        processor_certificate: 'http://sluice.test/opendsr/v2/certificate',
      },
    ])
    expect((await call.as('').get('/opendsr/v2/certificate')).text).toMatch(/^-----BEGIN CERTIFICATE-----\n/)
  })

  it('takes a request, reports its status, and answers with what was ordered', async () => {
    const { call, order } = await scene()
    const taken = await order()
    expect([taken.status, signatureOf(taken.headers), taken.body]).toEqual([
      201,
      isSigned,
      {
        controller_id: 'shop',
        subject_request_id: id,
        api_version: '2.0',
        expected_completion_time: time,
        received_time: time,
        encoded_request: Buffer.from(JSON.stringify(request())).toString('base64'),
      },
    ])
    await eventually(async () => (await call.get(path)).body['request_status']).toBe('completed')
    const found = await call.get(path)
    expect([found.status, signatureOf(found.headers), found.body]).toEqual([
      200,
      isSigned,
      {
        controller_id: 'shop',
        subject_request_id: id,
        api_version: '2.0',
        expected_completion_time: time,
        request_status: 'completed',
        results_url: `http://sluice.test${path}/results`,
        extensions: {
          'sluice.test': {
            is_over: true,
            regulation_ids: [expect.any(String)],
            deletions: { total: 2, complete: 2, open: 0, aborted: 0 },
            callbacks: { open: 0, failed: 0 },
          },
        },
      },
    ])
    const results = await call.get(`${path}/results`)
    expect([signatureOf(results.headers), results.body['request_status']]).toEqual([isSigned, 'completed'])
  })

  it('cancels a request that is pending, and no other', async () => {
    const transport = createGatedTransport()
    const workspace = shop('http://hook.test/', { accessTokens })
    const { sluice, call, order } = await scene({ workspace, transport })
    await sluice.ingest('web-key', [{ type: 'track', event: 'Paid', userId: 'someone', messageId: 'm1' }])
    await eventually(() => transport.sent.length).toBe(1)
    // Deletions wait for the event under way, and later ones for these.
    const earlier = id.replace('a7', 'b7')
    await order(request({ subject_request_id: earlier }))
    const statusOf = async (which: string) => (await call.get(`/opendsr/v2/requests/${which}`)).body['request_status']
    await eventually(() => statusOf(earlier)).toBe('in_progress')
    await order()
    expect(await statusOf(id)).toBe('pending')
    for (let round = 0; round < 2; round += 1) {
      const cancelled = await call.delete(path)
      expect([cancelled.status, signatureOf(cancelled.headers), cancelled.body]).toEqual([
        202,
        isSigned,
        { controller_id: 'shop', subject_request_id: id, api_version: '2.0', received_time: time },
      ])
      expect(await statusOf(id)).toBe('cancelled')
    }
    const refused = await call.delete(`/opendsr/v2/requests/${earlier}`)
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { error: { errors: [{ reason: 'subjectRequestBegun' }] } },
    ])
    await transport.answer(1)
  })

  it('cancels all regulations of a request that has several', async () => {
    const transport = createGatedTransport()
    const workspace = shop('http://hook.test/', { accessTokens })
    const { sluice, call, order } = await scene({ workspace, transport })
    await sluice.ingest('web-key', [{ type: 'track', event: 'Paid', userId: 'someone', messageId: 'm1' }])
    await eventually(() => transport.sent.length).toBe(1)
    // Deletions wait for the event under way, and later ones for these.
    const earlier = id.replace('a7', 'b7')
    await order(request({ subject_request_id: earlier }))
    await eventually(async () => (await call.get(`/opendsr/v2/requests/${earlier}`)).body['request_status']).toBe(
      'in_progress',
    )
    const ids = ['johndoe', 'doe-john'].map((identity_value) => ({
      identity_type: 'controller_customer_id',
      identity_value,
      identity_format: 'raw',
    }))
    await order(request({ subject_identities: ids }))
    const ofRequest = async () => {
      const { regulations } = await sluice.regulations.list('shop', { limit: 10 })
      return regulations.slice(1).map(({ attributes, canceled }) => [attributes['userId'], canceled])
    }
    expect(await ofRequest()).toEqual([
      ['johndoe', false],
      ['doe-john', false],
    ])
    expect((await call.delete(path)).status).toBe(202)
    expect((await call.get(path)).body['request_status']).toBe('cancelled')
    expect(await ofRequest()).toEqual([
      ['johndoe', true],
      ['doe-john', true],
    ])
    await transport.answer(1)
  })

  it('reports what is held of a person, for access and portability', async () => {
    const { sluice, call, order } = await scene()
    await sluice.ingest('web-key', [{ type: 'track', event: 'Paid', userId: 'johndoe' }])
    await sluice.settled()
    expect((await order(request({ subject_request_type: 'access' }))).status).toBe(201)
    expect((await call.get(path)).body).toMatchObject({
      request_status: 'completed',
      results_count: expect.any(Number),
    })
    const { body } = await call.get(`${path}/results`)
    const { held, ...report } = (await call.get('/v2/users/johndoe/report')).body
    // The log may have forgotten the event since.
    expect(body).toEqual({ ...report, held: expect.arrayContaining(held as unknown[]) })
    expect((await sluice.regulations.list('shop', { limit: 1 })).regulations).toEqual([])
    expect((await call.delete(path)).body).toMatchObject({ error: { errors: [{ reason: 'subjectRequestBegun' }] } })
  })

  it('refuses with the error object, and all that is wrong at once', async () => {
    const { order } = await scene()
    const { status, body } = await order(request({ subject_request_id: 'x', api_version: '3.0' }))
    expect([status, body]).toEqual([
      400,
      {
        error: {
          code: 400,
          message: 'subject_request_id must be a UUID of version 4 in lower case',
          errors: [
            {
              domain: 'Validation',
              reason: 'subjectRequestInvalid',
              message: 'subject_request_id must be a UUID of version 4 in lower case',
            },
            { domain: 'Validation', reason: 'subjectRequestInvalid', message: 'api_version must be 2.0, or left out' },
          ],
        },
        message: 'subject_request_id must be a UUID of version 4 in lower case',
        code: 'subjectRequestInvalid',
      },
    ])
  })
})

describe('a request', () => {
  it('that is repeated is the same request, and one with other content is refused', async () => {
    const { sluice, order } = await scene()
    const [first, ...others] = await Promise.all([order(), order(), order()])
    for (const other of others) expect(other.body).toEqual(first?.body)
    expect((await order(request({ regulation: 'gdpr' }))).body).toMatchObject({
      error: { code: 400, errors: [{ reason: 'subjectRequestTaken' }] },
    })
    expect((await sluice.regulations.list('shop', { limit: 10 })).regulations.length).toBe(1)
  })

  it('needs the scopes that a regulation needs, and is in the audit log', async () => {
    const { call, order } = await scene()
    for (const [token, status] of [
      ['read', 403],
      ['operate', 403],
      ['wrong', 401],
    ] as const) {
      const answered = await call.as(`Bearer ${token}`).post('/opendsr/v2/requests', request())
      expect([answered.status, answered.body]).toMatchObject([
        status,
        { error: { code: status, errors: [{ domain: 'Processing' }] } },
      ])
    }
    await order()
    const { body } = await call.as('Bearer admin').get('/v2/audit')
    const [entry] = body['data'] as readonly JsonObject[]
    expect(entry).toMatchObject({ method: 'POST', path: `/opendsr/v2/requests (${id})`, status: 201 })
    expect((await call.as('Bearer read').get(path)).status).toBe(403)
    expect((await call.as('Bearer operate').get(path)).status).toBe(200)
  })

  it('is unknown in another workspace, and when it never came', async () => {
    const { call } = await scene()
    for (const unknown of [path, `${path}/results`, '/opendsr/v2/requests/%00'])
      expect((await call.get(unknown)).body).toMatchObject({
        error: { code: 404, errors: [{ reason: 'subjectRequestUnknown' }] },
      })
    expect((await call.delete(path)).status).toBe(404)
  })

  it('that is hostile is refused without an effect', async () => {
    const { sluice, call, order } = await scene()
    const identity = { identity_type: 'email', identity_value: 'x', identity_format: 'raw' }
    const nested = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)
    for (const body of [
      null,
      [],
      'text',
      {},
      request({ subject_identities: Array.from({ length: 10_000 }, () => identity) }),
      request({ subject_identities: [{ ...identity, identity_type: '__proto__' }] }),
      request({ status_callback_urls: Array.from({ length: 500 }, () => 'https://x.test') }),
      request({ extensions: { 'sluice.test': { identities: [] } } }),
      request({ more: nested }),
    ]) {
      const answered = await order(body)
      expect([answered.status >= 400 && answered.status < 500, answered.body]).toMatchObject([
        true,
        { error: { code: answered.status } },
      ])
    }
    const large = await order(request({ more: 'x'.repeat(70_000) }))
    expect(large.body).toMatchObject({ error: { code: 413, errors: [{ reason: 'bodyTooLarge' }] } })
    expect((await sluice.regulations.list('shop', { limit: 1 })).regulations).toEqual([])
    expect((await call.get(path)).status).toBe(404)
  })

  it('that is no JSON is refused in the form of OpenDSR', async () => {
    const { sluice } = await scene()
    const response = await sluice.fetch(
      new Request('http://sluice.test/opendsr/v2/requests', {
        method: 'POST',
        headers: { authorization: 'Bearer all', 'content-type': 'application/json' },
        body: '{"subject_request_id":',
      }),
    )
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 400 } }])
  })

  it('is not taken without a ledger, which discovery says', async () => {
    const { call, order } = await scene({ hasLedger: false })
    expect((await call.get('/opendsr/v2/discovery')).body).toMatchObject({
      supported_subject_request_types: [],
      extensions: { 'sluice.test': { reason: expect.stringContaining('ledger') } },
    })
    expect((await order()).body).toMatchObject({ error: { code: 409, errors: [{ reason: 'ledgerMissing' }] } })
    expect((await call.get('/opendsr/v2/certificate')).status).toBe(409)
  })

  it('has the public address of the server in its addresses, and its domain, where that is known', async () => {
    const { sluice, call, order } = await scene({ publicAddress: 'https://cdp.shop.test/in' })
    const found = await sluice.fetch(new Request('http://sluice.test/opendsr/v2/discovery'))
    expect(await found.json()).toMatchObject({
      processor_certificate: 'https://cdp.shop.test/in/opendsr/v2/certificate',
    })
    await order(request({ subject_request_type: 'access' }))
    const { headers, body } = await call.get(path)
    expect([headers.get('x-opendsr-processor-domain'), body['results_url']]).toEqual([
      'cdp.shop.test',
      `https://cdp.shop.test/in${path}/results`,
    ])
    for (const publicAddress of [
      'cdp.shop.test',
      'https://cdp.shop.test/',
      'https://a:b@cdp.shop.test',
      'ftp://x.test',
    ])
      await expect(serve({ publicAddress })).rejects.toThrow('publicAddress must be an address')
  })

  it('has the path before which the server is mounted in its addresses', async () => {
    const { sluice } = await scene({ basePath: '/events' })
    const found = await sluice.fetch(new Request('http://sluice.test/events/opendsr/v2/discovery'))
    expect(await found.json()).toMatchObject({
      processor_certificate: 'http://sluice.test/events/opendsr/v2/certificate',
    })
  })
})
