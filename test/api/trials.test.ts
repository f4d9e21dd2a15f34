import { existsSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@sluice/core'
import { defineDestination, everyType, json, oauth2, webhook } from '@sluice/destinations'
import { createSluice, type Sluice } from 'sluice'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

let receiver: Server
let received: { readonly url: string; readonly body: string; readonly headers: IncomingHttpHeaders }[]
let reply: { status: number; type?: string; body: string }
let sluice: Sluice
let api: ApiClient

const on = { user_transform: true, dest_transform: true, send_to_destination: true }
const message = { type: 'identify', userId: 'abc@123.com', context: { traits: { firstName: 'James' } } }
const noTransformation = { error: 'Transformation VersionID not found' }
const abortedByTransformation = { error: 'error encountered in user_transformation stage. Aborting.' }
const abortedByMapping = { error: 'error encountered in dest_transformation stage. Aborting.' }

const codes: Readonly<Record<string, string>> = {
  mark: 'export const transformEvent = (event, metadata) => ({ ...event, from: metadata(event).sourceId })',
  two: 'export const transformEvent = (event) => [{ ...event, n: 1 }, { ...event, n: 2 }]',
  none: 'export const transformEvent = () => undefined',
  broken: "export const transformEvent = () => { throw new Error('Error.') }",
}

/** A type with a switch that only the operator may turn on. */
const trusted = defineDestination({
  type: 'TRUSTED',
  displayName: 'Trusted',
  supports: everyType,
  settings: Type.Object({ allowOwnNetwork: Type.Boolean({ default: false, isOperators: true, description: '' }) }),
  secrets: [],
  requests: () => [],
  examples: [],
})

beforeEach(async () => {
  received = []
  reply = { status: 200, type: 'application/json', body: '{"success":true}' }
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ url: request.url ?? '', body, headers: request.headers })
      response.writeHead(reply.status, reply.type === undefined ? {} : { 'content-type': reply.type })
      response.end(reply.body)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const hook = (
    id: string,
    more: { enabled?: boolean; transformation?: { code: string }; settings?: { webhookUrl: string } } = {},
  ) => ({
    id,
    type: 'WEBHOOK' as const,
    name: `hook ${id}`,
    settings: { webhookUrl: `${url}/${id}`, headers: [{ from: 'X-Key', to: 'secret-value' }] },
    ...more,
  })
  const destinations = [
    hook('plain'),
    hook('off', { enabled: false }),
    ...Object.entries(codes).map(([id, code]) => hook(id, { transformation: { code } })),
    hook('nowhere', { settings: { webhookUrl: 'http://127.0.0.1:1/' } }),
    { id: 'heap', type: 'HEAP' as const, settings: { appId: 'app' } },
    { id: 'cache', type: 'REDIS' as const, settings: { address: 'cache.test' } },
    { id: 'files', type: 'FILE' as const, settings: { folder: 'nowhere' } },
    { id: 'house', type: 'DUCKDB' as const, settings: { path: 'nowhere.duckdb' } },
    { id: 'trusted', type: 'TRUSTED' as const },
  ]
  sluice = await createSluice({
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    destinations: [trusted],
    workspace: {
      id: 'shop',
      accessTokens: [
        { name: 'all', token: hashOf('all-token') },
        { name: 'reader', token: hashOf('reader-token'), scopes: ['read', 'write'] },
      ],
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'asleep', writeKey: 'asleep-key', enabled: false },
        { id: 'alone', writeKey: 'alone-key' },
        { id: 'keeping', writeKey: 'keeping-key' },
      ],
      destinations,
      connections: [
        { source: 'web', destination: 'off' },
        { source: 'web', destination: 'plain' },
        { source: 'web', destination: 'mark' },
        { source: 'asleep', destination: 'off' },
        { source: 'keeping', destination: 'cache' },
        { source: 'keeping', destination: 'plain' },
      ],
    },
  })
  api = await createApiClient(sluice, basic('me@shop.test', 'all-token'))
})
afterEach(async () => {
  await sluice.stop()
  await new Promise((resolve) => receiver.close(resolve))
})

const tryOne = (id: string, body: JsonObject = {}, query = '') =>
  api.post(`/v0/testDestination/${id}${query}`, { stage: on, message, ...body })
const dataOf = async (id: string, body: JsonObject = {}) => {
  const { status, body: answered } = await tryOne(id, body)
  expect(status).toBe(200)
  return answered['data'] as readonly JsonObject[]
}

it('a test is answered 503, to be retried, when there is no room to run user code', async () => {
  const looping = 'export function transformEvent() { for (;;); }'
  const busy = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [{ name: 'all', token: hashOf('all-token') }],
      sources: [],
      destinations: [{ id: 'slow', type: 'HEAP', settings: { appId: 'app' }, transformation: { code: looping } }],
      connections: [],
    },
    sandbox: { workers: 1, batchesPerWorker: 1, queueLengthMax: 1, limits: { eventTimeMs: 300 } },
  })
  const client = await createApiClient(busy, 'Bearer all-token')
  const asked = Array.from({ length: 8 }, () => client.post('/v0/testDestination/slow', { stage: on, message }))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect([...new Set(statuses)].sort()).toEqual([200, 503])
  await busy.stop()
})

describe('testing a destination', () => {
  it('shows what each stage returned for the event, in the documented shape', async () => {
    const { status, body } = await tryOne('plain')
    expect(status).toBe(200)
    expect(body).toEqual({
      destinationId: 'plain',
      destination: 'WEBHOOK',
      destinationName: 'hook plain',
      data: [
        {
          user_transformed_payload: noTransformation,
          dest_transformed_payload: [
            {
              version: '1',
              type: 'REST',
              method: 'POST',
              endpoint: expect.stringMatching(/\/plain$/),
              headers: { 'content-type': 'application/json', 'x-key': '••••••' },
              params: {},
              body: { JSON: message, JSON_ARRAY: {}, XML: {}, FORM: {} },
              files: {},
            },
          ],
          destination_response: [{ success: true }],
          destination_response_status: [200],
        },
      ],
    })
    expect(received.map(({ body: sent }) => JSON.parse(sent))).toEqual([message])
  })

  it('runs only the named stages; sending needs the mapping', async () => {
    expect(await dataOf('mark', { stage: {} })).toEqual([{}])
    expect(await dataOf('mark', { stage: { user_transform: true } })).toEqual([
      { user_transformed_payload: { ...message, from: '' } },
    ])
    expect(Object.keys((await dataOf('mark', { stage: { dest_transform: true } }))[0] ?? {})).toEqual([
      'dest_transformed_payload',
    ])
    expect(await dataOf('mark', { stage: { send_to_destination: true } })).toEqual([{}])
    expect(received).toEqual([])
  })

  it('returns one element per output of the user transformation', async () => {
    const data = await dataOf('two')
    expect(data.map((each) => each['user_transformed_payload'])).toEqual([
      { ...message, n: 1 },
      { ...message, n: 2 },
    ])
    expect(data.map((each) => each['destination_response_status'])).toEqual([[200], [200]])
    expect(received.map(({ body }) => JSON.parse(body).n).sort()).toEqual([1, 2])
  })

  it('aborts the later stages when user code throws or drops the event', async () => {
    const aborted = { dest_transformed_payload: abortedByTransformation, destination_response: abortedByMapping }
    expect(await dataOf('broken')).toEqual([{ user_transformed_payload: { error: 'Error: Error.' }, ...aborted }])
    const [dropped] = await dataOf('none')
    expect(dropped).toEqual({
      user_transformed_payload: { error: expect.stringMatching(/^the event was dropped/) },
      ...aborted,
    })
    expect(received).toEqual([])
  })

  it('checks the permission of sender and user before user code runs, as production does', async () => {
    const unwanted = { ...message, integrations: { All: false } }
    const [data] = await dataOf('mark', { message: unwanted })
    expect(data).toEqual({
      user_transformed_payload: {
        error: 'the event was dropped in stage permission: not wanted by the integrations object',
      },
      dest_transformed_payload: abortedByTransformation,
      destination_response: abortedByMapping,
    })
    const [unchanged] = await dataOf('plain', { message: unwanted })
    expect(unchanged).toMatchObject({
      user_transformed_payload: noTransformation,
      dest_transformed_payload: {
        error: 'the event was dropped in stage permission: not wanted by the integrations object',
      },
    })
    expect(received).toEqual([])
  })

  it('aborts sending when the mapping fails or drops the event', async () => {
    const data = await dataOf('heap', { message: { ...message, type: 'group' } })
    expect(data).toEqual([
      {
        user_transformed_payload: noTransformation,
        dest_transformed_payload: { error: expect.any(String) },
        destination_response: abortedByMapping,
      },
    ])
  })

  const replies = [
    {
      name: 'JSON unchanged',
      status: 404,
      type: 'application/json; charset=utf-8',
      body: '{"error":{"id":null}}',
      shown: { error: { id: null } },
    },
    { name: 'text unchanged', status: 200, type: 'text/plain', body: 'thanks', shown: 'thanks' },
    { name: 'XML unchanged', status: 200, type: 'application/xml', body: '<ok/>', shown: '<ok/>' },
    { name: 'XML of any XML content type', status: 200, type: 'application/atom+xml', body: '<ok/>', shown: '<ok/>' },
    { name: 'any other type as empty', status: 200, type: 'application/octet-stream', body: '\u0001', shown: '' },
    { name: 'a missing type as empty', status: 500, type: undefined, body: 'x', shown: '' },
    { name: 'an empty reply as empty', status: 204, type: 'application/json', body: '', shown: '' },
    { name: 'broken JSON as text', status: 200, type: 'application/json', body: '{"a":', shown: '{"a":' },
  ]
  for (const { name, status, type, body, shown } of replies) {
    it(`shows replies by their content type, once, whatever the status: ${name}`, async () => {
      reply = { status, body, type }
      const [data] = await dataOf('plain')
      expect([data?.['destination_response'], data?.['destination_response_status']]).toEqual([[shown], [status]])
      expect(received).toHaveLength(1)
    })
  }

  it('shows that there was no reply', async () => {
    const [data] = await dataOf('nowhere')
    expect([data?.['destination_response'], data?.['destination_response_status']]).toEqual([
      ['[ECONNREFUSED] :: Connection refused'],
      [500],
    ])
  })

  it('shows no secret, neither in requests nor in replies that repeat them', async () => {
    reply = { status: 200, type: 'text/plain', body: 'you said secret-value' }
    expect((await tryOne('plain')).text).not.toContain('secret-value')
  })

  it('accepts other settings for the call, key by key, and refuses unknown or wrong ones', async () => {
    const [data] = await dataOf('plain', { destinationConfig: { webhookMethod: 'PUT' } })
    expect(data?.['dest_transformed_payload']).toMatchObject([
      { method: 'PUT', endpoint: expect.stringMatching(/\/plain$/) },
    ])
    const unknown = await tryOne('plain', { destinationConfig: { webhookURL: 'x' } })
    expect([unknown.status, unknown.body.code]).toEqual([400, 'settingUnknown'])
    expect(unknown.body.message).toContain(
      'destinationConfig.webhookURL is not a setting of WEBHOOK; did you mean webhookUrl?',
    )
    const wrong = await tryOne('plain', { destinationConfig: { webhookMethod: 'FETCH' } })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'settingsInvalid'])
  })

  it('uses the stored secret where a setting of the call has its mask, and refuses a mask for which there is none', async () => {
    const masked = '••••••'
    const headers = [
      { from: 'X-Team', to: 'growth' },
      { from: 'X-Key', to: masked },
    ]
    const [data] = await dataOf('plain', { destinationConfig: { headers } })
    expect(data?.['destination_response_status']).toEqual([200])
    expect(received.at(-1)?.headers).toMatchObject({ 'x-team': 'growth', 'x-key': 'secret-value' })
    const renamed = await tryOne('plain', { destinationConfig: { headers: [{ from: 'X-Other', to: masked }] } })
    expect([renamed.status, renamed.body.code]).toEqual([400, 'settingsInvalid'])
    expect(renamed.body.message).toContain('destinationConfig.headers[0].to')
  })

  it('refuses misspelt stages, which would not run, and names the right ones', async () => {
    const { status, body } = await tryOne('plain', { stage: { dest_transfrm: true } })
    expect([status, body.code]).toEqual([400, 'bodyUnknownMember'])
    expect(body.message).toContain('body.stage.dest_transfrm does not exist; did you mean dest_transform?')
    expect((await tryOne('plain', { mesage: message })).body.message).toContain('did you mean message?')
  })

  it('reports that a destination is disabled, unless the call forces the test', async () => {
    const { status, body } = await tryOne('off')
    expect(status).toBe(200)
    expect(body).toEqual({
      destinationId: 'off',
      destinationName: 'hook off',
      error: 'Destination with id off is disabled',
    })
    expect((await tryOne('off', {}, '?force=true')).body['data']).toHaveLength(1)
  })

  it('does not support destinations that do not use HTTP, whatever settings the call has', async () => {
    const refused = await tryOne('cache')
    expect([refused.status, refused.body.code]).toEqual([400, 'testUnsupported'])
    const folder = join(tmpdir(), 'sluice-never-made')
    expect((await tryOne('files', { destinationConfig: { folder } })).body.code).toBe('testUnsupported')
    expect((await tryOne('house', { destinationConfig: { path: folder } })).body.code).toBe('testUnsupported')
    expect(existsSync(folder)).toBe(false)
  })

  it('overrides no setting that only the operator decides', async () => {
    const refused = await tryOne('trusted', { destinationConfig: { allowOwnNetwork: true } })
    expect([refused.status, refused.body.code]).toEqual([400, 'settingsInvalid'])
    expect(refused.body.message).toContain(
      'destinationConfig.allowOwnNetwork is a setting that only the operator decides',
    )
    expect((await tryOne('trusted', { destinationConfig: { allowOwnNetwork: false } })).status).toBe(200)
  })

  it('refuses messages without one of the six types', async () => {
    for (const bad of [{}, { type: 7 }, null, 'x', undefined]) {
      const { status, text } = await tryOne('plain', { message: bad as JsonObject })
      expect([status, text]).toEqual([400, '{"message":"message type missing or invalid"}'])
    }
    const { status, text } = await tryOne('plain', { message: { type: 'bogus' } })
    expect([status, text]).toEqual([400, '{"message":"message type is unsupported"}'])
  })

  it('refuses unknown ids, missing stages, and tokens without the scope operate', async () => {
    expect((await tryOne('unknown')).status).toBe(404)
    expect((await api.post('/v0/testDestination/plain', { message })).status).toBe(400)
    expect((await api.as(basic('me', 'wrong')).post('/v0/testDestination/plain', {})).status).toBe(401)
    expect((await api.as(basic('me', 'reader-token')).post('/v0/testDestination/plain', {})).status).toBe(403)
  })

  it('is not ingestion: the event is not suppressed, logged, observed or counted', async () => {
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'abc@123.com' }] })
    expect((await dataOf('plain'))[0]).toMatchObject({ destination_response_status: [200] })
    await sluice.settled()
    expect(await sluice.catalogue.models('shop')).toEqual([])
    expect(await sluice.stats()).toEqual([])
  })
})

describe('testing a source', () => {
  const trySource = (id: string, body: JsonObject = {}, query = '') =>
    api.post(`/v0/testSource/${id}${query}`, { stage: on, message, ...body })

  it('shows what each of its destinations returns for the event', async () => {
    const { status, body } = await trySource('web')
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { destinationId: 'off', destinationName: 'hook off', error: 'Destination with id off is disabled' },
      { destinationId: 'plain', data: [{ destination_response_status: [200] }] },
      { destinationId: 'mark', data: [{ user_transformed_payload: { from: 'web' } }] },
    ])
  })

  it('reports destinations it does not support, and tests the others', async () => {
    expect((await trySource('keeping')).body).toMatchObject([
      { destinationId: 'cache', error: expect.stringContaining('does not support it') },
      { destinationId: 'plain', data: [{ destination_response_status: [200] }] },
    ])
  })

  it('reports that a source is disabled; tests disabled destinations too when the call forces it', async () => {
    const { status, text } = await trySource('asleep')
    expect([status, text]).toEqual([400, '{"message":"Source with asleep is disabled"}'])
    expect((await trySource('asleep', {}, '?force=true')).body).toMatchObject([{ destinationId: 'off', data: [{}] }])
  })

  it('refuses other settings, sources without destinations, and unknown sources', async () => {
    expect((await trySource('web', { destinationConfig: {} })).body.code).toBe('settingUnknown')
    const alone = await trySource('alone')
    expect([alone.status, alone.body.code]).toEqual([400, 'sourceUnconnected'])
    expect((await trySource('unknown')).status).toBe(404)
    expect((await trySource('web', { message: {} })).status).toBe(400)
  })
})

describe.runIf(hasConformance)('documented examples of the Test API', () => {
  const example = (name: string) => conformanceJson(`governance/docs-examples/test-${name}.json`)
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shapeOf)
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
  }

  it('have the same shape as the responses', async () => {
    reply = {
      status: 404,
      type: 'application/json',
      body: '{"success":false,"error":{"message":"Token not found","id":null}}',
    }
    const { message: sent } = example('01-verifying-destination-events') as { message: JsonObject }
    const { body } = await api.post('/v0/testDestination/nohead', { stage: on, message: sent })
    expect(body.code).toBe('destinationMissing')
    const plain = await tryOne('plain', { message: sent, destinationConfig: { headers: [] } })
    expect(shapeOf(plain.body)).toEqual(shapeOf(example('02-verifying-destination-events')))
    expect(shapeOf((await tryOne('off')).body)).toEqual(
      shapeOf(example('04-verifying-events-for-disabled-destinations')),
    )
    const [broken] = example('07-user-transform') as { data: unknown }[]
    expect((await tryOne('broken')).body['data']).toEqual(broken?.data)
    expect((await tryOne('plain', { message: { type: 'x' } })).body).toEqual(example('08-supported-message-types'))
    expect((await tryOne('plain', { message: {} })).body).toEqual(example('09-supported-message-types'))
  })
})

describe('testing a destination that sends one body to several addresses', () => {
  it('shows a reply for each request, in order', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const twice = defineDestination({
      type: 'TWICE',
      displayName: 'Twice',
      supports: everyType,
      settings: webhook.settings,
      secrets: [],
      requests(event, { webhookUrl }) {
        const first = json({ method: 'POST', endpoint: `${webhookUrl}/first`, body: event })
        return [first, { ...first, endpoint: `${webhookUrl}/second` }]
      },
      examples: [],
    })
    const own = await createSluice({
      allowAddresses: ['localhost'],
      destinations: [twice],
      workspace: {
        id: 'shop',
        accessTokens: [{ name: 'all', token: hashOf('token') }],
        sources: [],
        destinations: [{ id: 'twice', type: 'TWICE', settings: { webhookUrl: url } }],
        connections: [],
      },
    })
    const client = await createApiClient(own, basic('me', 'token'))
    const { body } = await client.post('/v0/testDestination/twice', { stage: on, message })
    expect(received.map((each) => each.url)).toEqual(['/first', '/second'])
    expect(body).toMatchObject({ data: [{ destination_response_status: [200, 200] }] })
    await own.stop()
  })
})

describe('testing a destination that uses an account', () => {
  it('shows the reply to the request, and neither the request for tokens nor the tokens', async () => {
    const { port } = receiver.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const account = oauth2({
      tokenEndpoint: `${url}/token`,
      grant: 'client_credentials',
      settings: { clientId: 'webhookUrl', clientSecret: 'webhookMethod' },
    })
    const crm = { id: 'crm', type: 'CRM', settings: { webhookUrl: `${url}/in` } }
    const accessTokens = [{ name: 'all', token: hashOf('token') }]
    const own = await createSluice({
      allowAddresses: ['localhost'],
      destinations: [{ ...webhook, type: 'CRM', account }],
      workspace: { id: 'shop', accessTokens, sources: [], destinations: [crm], connections: [] },
    })
    reply = { status: 200, type: 'application/json', body: '{"access_token":"pw-token"}' }
    const client = await createApiClient(own, basic('me', 'token'))
    const { body, text } = await client.post('/v0/testDestination/crm', { stage: on, message })
    expect(received.map((each) => each.url)).toEqual(['/token', '/in'])
    expect(body).toMatchObject({ data: [{ destination_response_status: [200] }] })
    expect(text.split('dest_transformed_payload')[1]?.split('destination_response')[0]).not.toContain('pw-token')
    await own.stop()
  })
})
