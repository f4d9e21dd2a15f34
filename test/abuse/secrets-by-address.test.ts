import { type Event, isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { createRecordingTransport, type RecordingTransport, reply } from '@sluice/delivery'
import {
  builtInDestinations,
  type DeliveryRequest,
  isAsk,
  mapEvent,
  originOf,
  parseSettings,
} from '@sluice/destinations'
import { createSluice, type DestinationEntry, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'

const secret = 'Zq7-s3cr3t'
const message = {
  type: 'track',
  event: 'Seen',
  userId: 'u1',
  anonymousId: 'a1',
  properties: { at: 'https://evil.test' },
}

let transport: RecordingTransport
let sluice: Sluice
let api: ApiClient

const destinations: readonly DestinationEntry[] = [
  {
    id: 'hook',
    type: 'WEBHOOK',
    settings: { webhookUrl: 'https://hook.test/in', headers: [{ from: 'X-Key', to: secret }], allowEventAddress: true },
  },
  {
    id: 'closed',
    type: 'WEBHOOK',
    settings: { webhookUrl: 'https://hook.test/in', headers: [{ from: 'X-Key', to: secret }] },
  },
  {
    id: 'http',
    type: 'HTTP',
    settings: {
      apiUrl: 'https://api.test/{x}',
      auth: 'bearerTokenAuth',
      bearerToken: secret,
      headers: [{ from: `'${secret}'`, to: 'X-Literal' }],
    },
  },
  {
    id: 'steered',
    type: 'WEBHOOK',
    settings: {
      webhookUrl: '{{ event.properties.at || "https://hook.test/in" }}',
      headers: [{ from: 'X-Key', to: secret }],
    },
  },
  {
    id: 'params',
    type: 'HTTP',
    settings: {
      apiUrl: 'https://api.test/x',
      queryParams: [
        { from: `'${secret}'`, to: 'api_key' },
        { from: "'71053864'", to: 'pin' },
        { from: '90457713', to: 'code' },
        { from: '$.userId', to: 'user' },
      ],
    },
  },
  { id: 'posthog', type: 'POSTHOG', settings: { teamApiKey: secret, yourInstance: 'https://eu.posthog.test' } },
]

beforeEach(async () => {
  transport = createRecordingTransport(() => reply(200, 'ok'))
  sluice = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [
        { name: 'operator', token: hashOf('operate'), scopes: ['operate'] },
        { name: 'reader', token: hashOf('read'), scopes: ['read'] },
        { name: 'author', token: hashOf('author'), scopes: ['write', 'operate'] },
      ],
      sources: [
        { id: 'web', writeKey: 'public-key' },
        { id: 'other', writeKey: 'other-key' },
      ],
      destinations,
      connections: [
        { source: 'web', destination: 'hook' },
        { source: 'other', destination: 'steered' },
      ],
    },
    transport,
    sandbox: { mode: 'in-process' },
    retries: { windowMs: 0, attemptsMin: 1 },
  })
  api = await createApiClient(sluice, 'Bearer operate')
})
afterEach(() => sluice.stop())

const stage = { dest_transform: true, send_to_destination: true }
const isStolen = (request: DeliveryRequest): boolean =>
  !/^https:\/\/(hook|api|eu\.posthog)\.test\//.test(request.endpoint) && JSON.stringify(request).includes(secret)

async function tryOut(id: string, destinationConfig: object, event: object = message) {
  const answer = await api.post(`/v0/testDestination/${id}`, { stage, message: event, destinationConfig })
  expect(transport.requests.filter(isStolen)).toEqual([])
  expect(answer.text).not.toContain(secret)
  return answer
}

describe('with the scope operate, the Test API', () => {
  const evil = 'https://evil.test/x'
  const attacks: readonly (readonly [string, object])[] = [
    ['hook', { webhookUrl: evil }],
    ['hook', { webhookUrl: 'http://hook.test/in' }],
    ['hook', { webhookUrl: 'https://hook.test:444/in' }],
    ['hook', { webhookUrl: 'https://hook.test.evil.test/in', webhookMethod: 'GET' }],
    ['hook', { webhookUrl: '{{ event.properties.at || "https://hook.test/in" }}' }],
    ['hook', { webhookUrl: evil, headers: [{ from: 'X-Key', to: '••••••' }] }],
    ['http', { apiUrl: evil }],
    ['http', { apiUrl: evil, auth: 'apiKeyAuth', apiKeyName: 'X' }],
    ['http', { apiUrl: '{{ event.properties.at || "https://api.test" }}' }],
    ['params', { apiUrl: evil }],
    ['posthog', { yourInstance: 'https://evil.test' }],
  ]
  for (const [id, config] of attacks)
    it(`does not send stored secrets of ${id} to another origin when the call sets ${JSON.stringify(config)}, and says so`, async () => {
      const { status, body } = await tryOut(id, config)
      expect(status).toBe(200)
      expect(transport.requests).toHaveLength(1)
      expect(JSON.stringify(body)).toContain('stored secrets were left out')
    })

  it('sends nothing to an address with a user, which looks like another host', async () => {
    const { status } = await tryOut('hook', { webhookUrl: 'https://hook.test@evil.test/in' })
    expect([status, transport.requests]).toEqual([400, []])
  })

  it('does not send constants of stored parameters to another origin, and masks them for the stored origin', async () => {
    await tryOut('params', { apiUrl: evil })
    expect(JSON.stringify(transport.requests[0]?.params)).not.toMatch(/71053864|90457713/)
    const { text } = await tryOut('params', {})
    expect(transport.requests[1]?.params).toEqual({ api_key: secret, pin: '71053864', code: 90457713, user: 'u1' })
    expect(text).not.toMatch(/71053864|90457713/)
  })

  it('does not trust any origin that the call names', async () => {
    const config = { trustedOrigins: ['https://evil.test'], allowEventAddress: true }
    const { body } = await tryOut('hook', config, { ...message, fullPath: 'https://evil.test/a' })
    expect(transport.requests).toHaveLength(1)
    expect(JSON.stringify(body)).toContain('stored secrets were left out')
  })

  it('names the headers it left out', async () => {
    const { body } = await tryOut('http', { apiUrl: evil })
    expect(JSON.stringify(body)).toContain('(headers: Authorization, X-Literal)')
    expect(transport.requests[0]?.headers).toEqual({ 'Content-Type': 'application/json' })
  })

  it('sends secrets that the call itself contains', async () => {
    await tryOut('hook', { webhookUrl: evil, headers: [{ from: 'X-Mine', to: 'mine' }] })
    expect(transport.requests[0]).toMatchObject({ endpoint: evil, headers: { 'x-mine': 'mine' } })
  })

  it('sends stored secrets to the address of the stored settings, whatever else the call changes', async () => {
    const { body } = await api.post('/v0/testDestination/hook', {
      stage,
      message,
      destinationConfig: { webhookUrl: 'https://hook.test/other', webhookMethod: 'PUT' },
    })
    expect(transport.requests[0]).toMatchObject({ endpoint: 'https://hook.test/other', headers: { 'x-key': secret } })
    expect(JSON.stringify(body)).not.toContain('notices')
  })
})

describe('with the scope write as well, the Test API', () => {
  it('sends stored secrets where the call leads, without a notice, and does not show them', async () => {
    const author = api.as('Bearer author')
    const call = { stage, message, destinationConfig: { webhookUrl: 'https://new.test/in' } }
    const { status, text } = await author.post('/v0/testDestination/hook', call)
    expect(status).toBe(200)
    expect(transport.requests).toMatchObject([{ endpoint: 'https://new.test/in', headers: { 'x-key': secret } }])
    expect(text).not.toContain('notices')
    expect(text).not.toContain(secret)
  })

  it('still sends them nowhere that an event chooses', async () => {
    const author = api.as('Bearer author')
    const event = { ...message, fullPath: 'https://evil.test/a' }
    expect((await author.post('/v0/testDestination/hook', { stage, message: event })).status).toBe(200)
    const steered = { webhookUrl: '{{ event.properties.at || "https://hook.test/in" }}' }
    await author.post('/v0/testDestination/hook', { stage, message, destinationConfig: steered })
    expect(transport.requests).toHaveLength(2)
    expect(transport.requests.filter(isStolen)).toEqual([])
  })
})

it('no built-in type sends a stored secret to a host that only the call names', () => {
  const marker = 'Zq7s3cr3tM4rk3r'
  // Base64 of the marker, whatever is before it.
  const forms = [
    marker,
    ...[0, 1, 2].map((before) =>
      Buffer.from(`${'x'.repeat(before)}${marker}`)
        .toString('base64')
        .slice(4, -4),
    ),
  ]
  const withMarker = (value: JsonValue, [key, ...rest]: readonly string[]): JsonValue => {
    if (key === undefined) return typeof value === 'string' ? marker : value
    if (Array.isArray(value)) return value.map((item: JsonValue) => withMarker(item, [key, ...rest]))
    return isJsonObject(value) && value[key] !== undefined ? { ...value, [key]: withMarker(value[key], rest) } : value
  }
  let elsewhere = 0
  for (const definition of builtInDestinations)
    for (const { event, settings } of definition.examples) {
      const parsed = parseSettings(definition, settings as JsonObject)
      if (!parsed.ok) continue
      const stored = definition.secrets.reduce<JsonValue>(
        (made, path) => withMarker(made, path.split('.')),
        parsed.settings,
      ) as JsonObject
      for (const name of Object.keys(definition.settings.properties))
        for (const evil of ['https://evil.test/x', 'evil.test']) {
          const chosen = parseSettings(definition, { ...stored, [name]: evil })
          if (!chosen.ok) continue
          const mapped = mapEvent(definition, event as Event, chosen.settings, { now: 0 }, stored)
          const requests = Array.isArray(mapped) ? mapped : isAsk(mapped) ? [mapped.request] : []
          for (const request of requests) {
            if (!originOf(request).includes('evil')) continue
            elsewhere += 1
            const found = forms.filter((form) => JSON.stringify(request).includes(form))
            expect([definition.type, name, found]).toEqual([definition.type, name, []])
          }
        }
    }
  expect(elsewhere).toBeGreaterThan(20)
})

it('with the scope read, no token sees a constant of parameters', async () => {
  const reader = await createApiClient(sluice, 'Bearer read')
  const { status, text } = await reader.get('/v2/destinations')
  expect(status).toBe(200)
  for (const value of [secret, '71053864', '90457713']) expect(text).not.toContain(value)
})

describe('with a public write key, an event', () => {
  const steering: readonly (readonly [string, object])[] = [
    ['another address', { fullPath: 'https://evil.test/a' }],
    ['a name that looks like the address', { fullPath: 'https://hook.test@evil.test/a' }],
    ['another host behind the address', { appendPath: '@evil.test/' }],
    ['another host as a path', { appendPath: '//evil.test/' }],
    ['another site of the server', { header: { Host: 'evil.test', 'X-Forwarded-For': '1' } }],
    ['a request in the request', { header: { 'Content-Length': '0', 'Transfer-Encoding': 'chunked' } }],
  ]
  for (const [name, members] of steering)
    it(`receives no secret by ${name}`, async () => {
      await sluice.ingest('public-key', [{ ...message, ...members }])
      await sluice.settled()
      expect(transport.requests.filter(isStolen)).toEqual([])
      for (const { headers } of transport.requests)
        expect(
          Object.keys(headers).filter((header) => /^(host|content-length|transfer-encoding)$/i.test(header)),
        ).toEqual([])
    })

  it('receives no secret through a setting that depends on the event', async () => {
    await sluice.ingest('other-key', [message, { ...message, properties: {} }])
    await sluice.settled()
    expect(transport.requests.filter(isStolen)).toEqual([])
    expect(transport.requests.map(({ endpoint, headers }) => [endpoint, headers['x-key']])).toEqual([
      ['https://evil.test', undefined],
      ['https://hook.test/in', secret],
    ])
  })

  it('cannot choose an address unless the settings allow it', async () => {
    for (const members of [{ fullPath: 'https://evil.test/a' }, { appendPath: '/more' }]) {
      const { body } = await tryOut('closed', {}, { ...message, ...members })
      expect(JSON.stringify(body)).toContain('allowEventAddress')
    }
    expect(transport.requests).toEqual([])
  })
})
