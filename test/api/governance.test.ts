import { createManualClock, createSeededRandom, type JsonObject, type ManualClock } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { defaultSchemaLimits } from '@sluice/schema'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, basic, createApiClient } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

interface Model {
  readonly ID: number
  readonly EventID: string
  readonly WriteKey: string
  readonly EventType: string
  readonly EventIdentifier: string
  readonly TotalCount: number
}
interface Version {
  readonly VersionID: string
}

let sluice: Sluice
let api: ApiClient
let clock: ManualClock
const start = Date.parse('2026-01-05T08:00:00.000Z')

const workspace = (more: JsonObject = {}) =>
  shop('http://hook.test/', {
    sources: [
      { id: 'web', writeKey: 'web-key', ...more },
      { id: 'app', writeKey: 'app-key', observe: { detectors: [], maskPaths: ['properties.secret'] } },
    ],
  })

async function open(more: Partial<Parameters<typeof createSluice>[0]> = {}): Promise<void> {
  clock = createManualClock(start)
  sluice = await createSluice({
    workspace: workspace(),
    admin: { user: 'admin', password: 'pass' },
    transport: createRecordingTransport(),
    clock,
    random: createSeededRandom(3),
    ...more,
  })
  api = await createApiClient(sluice, basic('admin', 'pass'))
}
beforeEach(() => open())
afterEach(() => sluice.stop())

async function send(writeKey: string, ...events: JsonObject[]): Promise<void> {
  expect((await sluice.ingest(writeKey, events)).ok).toBe(true)
  await sluice.settled()
}
const bought = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'track',
  event: 'Bought',
  userId: 'u1',
  messageId: 'm1',
  properties,
  ...more,
})
const get = async <Body>(path: string): Promise<Body> => {
  const { status, body } = await api.get(path)
  expect(status).toBe(200)
  return body as unknown as Body
}
const models = (query = '') => get<readonly Model[]>(`/schemas/event-models${query}`)
const modelOf = async (name: string) => {
  const found = (await models()).find(({ EventIdentifier }) => EventIdentifier === name)
  return found?.EventID ?? ''
}
const versionsOf = async (eventId: string) => get<readonly Version[]>(`/schemas/event-versions?EventID=${eventId}`)
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

describe('event models and versions', () => {
  it('are listed in the documented shape, in order of ID, for all sources or one', async () => {
    await send('web-key', bought({ price: 5 }), { type: 'page', name: 'Home', userId: 'u1' })
    await send('app-key', bought({ price: 'free' }))
    const listed = await models()
    expect(listed[0]).toEqual({
      ID: expect.any(Number),
      EventID: uuid,
      WriteKey: 'web-key',
      EventType: 'track',
      EventIdentifier: 'Bought',
      CreatedAt: iso,
      Schema: expect.objectContaining({ 'properties.price': 'float64', userId: 'string', rudderId: 'string' }),
      LastSeen: '2026-01-05T08:00:00.000Z',
      TotalCount: 1,
    })
    expect(listed.map(({ WriteKey, EventType }) => `${WriteKey} ${EventType}`)).toEqual([
      'web-key track',
      'web-key page',
      'app-key track',
    ])
    expect(listed.map(({ ID }) => ID)).toEqual(listed.map(({ ID }) => ID).toSorted((a, b) => a - b))
    expect(await models('?WriteKey=app-key')).toEqual([listed[2]])
    expect(await models('?WriteKey=unknown')).toEqual([])
    expect(await models('?WriteKey=')).toEqual(listed)
    expect(await versionsOf(listed[0]?.EventID ?? '')).toEqual([
      {
        ID: expect.any(Number),
        VersionID: uuid,
        EventModelID: listed[0]?.EventID,
        Schema: expect.objectContaining({ 'properties.price': 'float64' }),
        FirstSeen: '2026-01-05T08:00:00.000Z',
        LastSeen: '2026-01-05T08:00:00.000Z',
        TotalCount: 1,
      },
    ])
  })

  it('keep ID and CreatedAt, and say when events were first and last received', async () => {
    await send('web-key', bought({ price: 5 }))
    const [before] = await models()
    clock.advance(60_000)
    await send('web-key', bought({ price: 6 }), bought({ price: 'x', a: 1 }))
    const [after] = await get<readonly { Schema: JsonObject }[]>('/schemas/event-models')
    expect(Object.keys(after?.Schema ?? {})).toEqual(Object.keys(after?.Schema ?? {}).toSorted())
    expect(await models()).toEqual([
      {
        ...before,
        TotalCount: 3,
        LastSeen: '2026-01-05T08:01:00.000Z',
        Schema: expect.objectContaining({ 'properties.price': 'float64,string' }),
      },
    ])
    expect(await versionsOf(before?.EventID ?? '')).toMatchObject([
      { TotalCount: 2, FirstSeen: '2026-01-05T08:00:00.000Z', LastSeen: '2026-01-05T08:01:00.000Z' },
      { TotalCount: 1, FirstSeen: '2026-01-05T08:01:00.000Z' },
    ])
  })

  it('do not count events that belong to no model', async () => {
    await send('web-key', { type: 'track', userId: 'u1' })
    expect(await models()).toEqual([])
  })
})

describe('metadata, key counts and missing keys', () => {
  it('show samples, frequent values and counts of a model and of a version, as soon as they are observed', async () => {
    await send('web-key', ...[5, 5, 5, 7].map((price) => bought({ price, note: null })), bought({ coupon: true }))
    const eventId = await modelOf('Bought')
    const metadata = await get<JsonObject>(`/schemas/event-model/${eventId}/metadata`)
    expect(metadata).toMatchObject({
      TotalCount: 5,
      FrequentValues: {
        event: [{ Value: 'Bought', Frequency: 1 }],
        'properties.coupon': [{ Value: 'true', Frequency: 1 }],
        'properties.price': [
          { Value: '5', Frequency: 0.76 },
          { Value: '7', Frequency: 0.26 },
        ],
      },
    })
    expect(metadata['SampledEvents']).toHaveLength(5)
    expect(Object.keys(metadata['FrequentValues'] as object)).toEqual(
      Object.keys(metadata['FrequentValues'] as object).toSorted(),
    )
    const [first, second] = await versionsOf(eventId)
    expect(await get(`/schemas/event-version/${second?.VersionID}/metadata`)).toMatchObject({
      TotalCount: 1,
      SampledEvents: [bought({ coupon: true })],
      FrequentValues: { 'properties.coupon': [{ Value: 'true', Frequency: 1 }] },
    })
    const counts = await get<Record<string, number>>(`/schemas/event-model/${eventId}/key-counts`)
    expect(counts).toMatchObject({ event: 5, 'properties.price': 4, 'properties.coupon': 1 })
    expect(counts['properties.note']).toBeUndefined()
    expect(Object.keys(counts)).toEqual(Object.keys(counts).toSorted())
    for (const path of [`event-version/${first?.VersionID}`, `${first?.VersionID}`])
      expect(await get(`/schemas/${path}/missing-keys`)).toEqual(['properties.coupon'])
  })

  it('keep their counts when the pipeline stops and starts again', async () => {
    await send('web-key', bought({ price: 5 }))
    const eventId = await modelOf('Bought')
    const path = `/schemas/event-model/${eventId}/metadata`
    const before = await get<JsonObject>(path)
    await sluice.updateWorkspace(workspace({ name: 'Web' }))
    expect(await get(path)).toEqual(before)
    await send('web-key', bought({ price: 5 }))
    expect(await get(path)).toMatchObject({ FrequentValues: { 'properties.price': [{ Value: '5', Frequency: 1 }] } })
  })

  it('mask personal data with the rules of each source', async () => {
    const event = bought({ mail: 'a@b.test', secret: 'x' }, { context: { ip: '1.2.3.4' } })
    await send('web-key', event)
    await send('app-key', event)
    const shown = async (writeKey: string) => {
      const [model] = await models(`?WriteKey=${writeKey}`)
      return JSON.stringify(await get(`/schemas/event-model/${model?.EventID}/metadata`))
    }
    const masked = await shown('web-key')
    for (const text of ['a@b.test', '1.2.3.4']) expect(masked).not.toContain(text)
    for (const text of ['[email]', '[ip]', '"secret":"x"']) expect(masked).toContain(text)
    const open = await shown('app-key')
    for (const text of ['a@b.test', '1.2.3.4', '[masked]']) expect(open).toContain(text)
    expect(open).not.toContain('"secret":"x"')
  })

  it('forget a user', async () => {
    await send('web-key', bought({}, { userId: 'canary-1' }), bought({}, { userId: 'u2' }))
    await sluice.catalogue.forget('shop', ['canary-1'])
    const metadata = await get(`/schemas/event-model/${await modelOf('Bought')}/metadata`)
    expect(JSON.stringify(metadata)).not.toContain('canary-1')
    expect(metadata).toMatchObject({ TotalCount: 2, SampledEvents: [{ userId: 'u2' }] })
  })
})

describe('additions to the documented API', () => {
  it('return a JSON Schema of a model and the differences between versions', async () => {
    await send(
      'web-key',
      bought({ price: 5, list: [] }),
      bought({ price: 'x', coupon: 1 }),
      bought({ price: 7, coupon: 1 }),
    )
    const eventId = await modelOf('Bought')
    expect(await get(`/schemas/event-model/${eventId}/json-schema`)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Bought',
      properties: {
        properties: { properties: { price: { type: ['string', 'number'] } }, required: ['price'] },
        userId: { type: 'string' },
      },
    })
    const [first, second] = await versionsOf(eventId)
    const ids = `from=${first?.VersionID}&to=${second?.VersionID}`
    expect(await get(`/schemas/event-model/${eventId}/diff?${ids}`)).toEqual({
      added: { 'properties.coupon': 'float64' },
      removed: {},
      changed: { 'properties.price': { from: 'float64', to: 'string' } },
    })
    expect((await api.get(`/schemas/event-model/${eventId}/diff?from=${first?.VersionID}`)).status).toBe(400)
    expect((await api.get(`/schemas/event-model/${eventId}/diff?from=a&to=b`)).status).toBe(404)
  })

  it('refuse to compare with the overflow version, which has no shape', async () => {
    await sluice.stop()
    await open({ schemaLimits: { versionsMax: 1, archivedVersionsMax: 0 } })
    await send('web-key', bought({ a: 1 }), bought({ b: 1 }))
    const eventId = await modelOf('Bought')
    const [first, overflow] = await versionsOf(eventId)
    const ids = `from=${first?.VersionID}&to=${overflow?.VersionID}`
    expect((await api.get(`/schemas/event-model/${eventId}/diff?${ids}`)).status).toBe(404)
  })

  it('report how often limits were reached', async () => {
    await sluice.stop()
    await open({ schemaLimits: { keysPerEventMax: 3 } })
    await send('web-key', bought({ a: 1 }))
    const listed = await get<readonly JsonObject[]>('/schemas/limits?WriteKey=web-key')
    expect(listed).toEqual([{ WriteKey: 'web-key', Limit: 'keysPerEvent', Count: expect.any(Number) }])
    expect(await get('/schemas/limits?WriteKey=app-key')).toEqual([])
    expect(defaultSchemaLimits.keysPerEventMax).toBe(500)
  })

  it('notify the embedding program of new versions', async () => {
    await sluice.stop()
    const notified: string[] = []
    await open({
      onNewVersion: (workspaceId, { eventIdentifier }) => notified.push(`${workspaceId} ${eventIdentifier}`),
    })
    await send('web-key', bought({ a: 1 }), bought({ a: 2 }), bought({ a: 'x' }))
    await eventually(() => notified).toEqual(['shop Bought', 'shop Bought'])
  })

  it('check events against a tracking plan on their way to destinations, if there is one', async () => {
    await sluice.stop()
    const transport = createRecordingTransport()
    const trackingPlan = {
      onViolation: 'drop',
      events: [{ type: 'track', event: 'Bought', schema: { properties: { properties: { required: ['price'] } } } }],
    }
    await open({ transport, workspace: workspace({ trackingPlan }) })
    await send('web-key', bought({ price: 5 }), bought({ pric: 5 }), bought({}, { event: 'Sold' }))
    expect(transport.requests).toHaveLength(2)
    const [stats] = await sluice.stats()
    expect(stats?.destinations).toMatchObject([{ delivered: 2, dropped: { 'violates the tracking plan': 1 } }])
    // The catalogue observed all of them.
    expect((await models()).map(({ TotalCount }) => TotalCount)).toEqual([2, 1])
    const bad = { onViolation: 'drop', events: [{ type: 'track', event: 'Bought', schema: { type: 'strin' } }] }
    await expect(sluice.updateWorkspace(workspace({ trackingPlan: bad }))).rejects.toThrow(
      /sources\[0\]\.trackingPlan: .*the schema of track Bought cannot be used/,
    )
  })
})

describe('credentials and unusual requests', () => {
  it('answer 400 to missing and wrong credentials, access tokens included', async () => {
    for (const authorization of ['', basic('admin', 'wrong'), basic('x', 'pass'), 'Bearer pass', basic('', 'pass')]) {
      const { status, text } = await api.as(authorization).get('/schemas/event-models')
      expect(status).toBe(400)
      expect(JSON.parse(text)).toEqual({
        msg: expect.stringMatching(/^(Basic auth credentials missing|Invalid admin credentials)$/),
      })
    }
  })

  it('refuse to start with a blank credential, and have no routes without any', async () => {
    for (const admin of [
      { user: '', password: 'x' },
      { user: 'x', password: '' },
    ])
      await expect(createSluice({ workspace: workspace(), admin })).rejects.toThrow('needs an admin user and password')
    const without = await createSluice({ workspace: workspace() })
    expect((await without.fetch(new Request('http://sluice.test/schemas/event-models'))).status).toBe(404)
    await without.stop()
  })

  const unknown = [
    { path: 'event-versions?EventID=X', text: 'No EventModel found for given EventID : X', strict: 200, body: '[]' },
    { path: 'event-model/X/key-counts', text: 'No EventModel found for given EventID : X', strict: 200, body: '{}' },
    {
      path: 'event-model/X/metadata',
      text: 'No Metadata found for given EventID : X',
      strict: 400,
      body: 'No Metadata found for given VersionID : X',
    },
    {
      path: 'event-version/X/metadata',
      text: 'No Metadata found for given VersionID : X',
      strict: 400,
      body: 'No Metadata found for given VersionID : X',
    },
    {
      path: 'event-version/X/missing-keys',
      text: 'No SchemaVersion found for given VersionID : X',
      strict: 500,
      body: 'No SchemaVersion found for given VersionID : X',
    },
    {
      path: 'X/missing-keys',
      text: 'No SchemaVersion found for given VersionID : X',
      strict: 500,
      body: 'No SchemaVersion found for given VersionID : X',
    },
  ]
  for (const { path, text, strict, body } of unknown) {
    it(`answer 404 to an unknown id, or the documented response: ${path}`, async () => {
      const answer = await api.get(`/schemas/${path}`)
      expect([answer.status, answer.text]).toEqual([404, `{"msg":"${text}"}\n`])
      await sluice.stop()
      await open({ strictCompatibility: true })
      const response = await sluice.fetch(
        new Request(`http://sluice.test/schemas/${path}`, { headers: { authorization: basic('admin', 'pass') } }),
      )
      expect([response.status, await response.text()]).toEqual([strict, strict === 200 ? body : `{"msg":"${body}"}\n`])
    })
  }

  it('require an EventID for versions, and the method GET', async () => {
    const missing = await api.get('/schemas/event-versions')
    expect([missing.status, missing.text]).toEqual([400, '{"msg":"Mandatory field: EventID missing"}\n'])
    // No documented route has an empty id.
    const authorization = basic('admin', 'pass')
    for (const [path, field] of [
      ['event-model//metadata', 'EventID'],
      ['event-model//key-counts', 'EventID'],
      ['event-version//missing-keys', 'VersionID'],
    ]) {
      const answer = await sluice.fetch(
        new Request(`http://sluice.test/schemas/${path}`, { headers: { authorization } }),
      )
      expect([answer.status, await answer.text()]).toEqual([400, `{"msg":"Mandatory field: ${field} missing"}\n`])
    }
    const posted = await api.post('/schemas/event-models')
    expect([posted.status, posted.text]).toEqual([405, '{"msg":"Only HTTP GET method is supported"}\n'])
  })
})

describe.runIf(hasConformance)('documented examples', () => {
  const example = (name: string) => conformanceJson(`governance/docs-examples/data-governance-${name}.json`)
  const keysOf = (value: unknown): readonly string[] => Object.keys(value as object).sort()

  it('have the same shape as the responses', async () => {
    await send('web-key', bought({ price: 5 }), bought({ name: 'x' }))
    const [model] = await models()
    expect(keysOf(model)).toEqual(keysOf((example('01-example-request') as unknown[])[0]))
    const [version] = await versionsOf(model?.EventID ?? '')
    expect(keysOf(version)).toEqual(keysOf((example('03-schemas-event-versions') as unknown[])[0]))
    const documented = example('04-schemas-event-model-eventid-metadata') as JsonObject
    const metadata = await get<JsonObject>(`/schemas/event-model/${model?.EventID}/metadata`)
    expect(keysOf(metadata)).toEqual(keysOf(documented))
    const [values] = Object.values(metadata['FrequentValues'] as JsonObject) as JsonObject[][]
    const [documentedValues] = Object.values(documented['FrequentValues'] as JsonObject) as JsonObject[][]
    expect(keysOf(values?.[0])).toEqual(keysOf(documentedValues?.[0]))
  })

  it('observing the events of an integration test of RudderStack gives what that test asserts', async () => {
    const calls = conformanceJson('governance/event-schema/integration_ingest_events.json') as {
      endpoint: string
      body: JsonObject
    }[]
    for (const { endpoint, body } of calls) {
      const batch = (body['batch'] as JsonObject[] | undefined) ?? [{ ...body, type: endpoint.split('/').at(-1) ?? '' }]
      await send('web-key', ...batch)
    }
    await send('web-key', { type: 'page', userId: 'pixel', anonymousId: 'pixel' })
    const pages = (await models()).filter(({ EventType }) => EventType === 'page')
    expect(pages).toHaveLength(1)
    const eventId = pages[0]?.EventID ?? ''
    const versions = await versionsOf(eventId)
    expect(versions).toHaveLength(2)
    expect(await get(`/schemas/event-model/${eventId}/key-counts`)).toHaveProperty('messageId')
    expect(await get(`/schemas/event-model/${eventId}/metadata`)).toHaveProperty('FrequentValues.messageId')
    expect(await get(`/schemas/event-version/${versions[0]?.VersionID}/metadata`)).toHaveProperty(
      'FrequentValues.messageId',
    )
  })
})
