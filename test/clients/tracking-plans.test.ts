import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, hashOf } from '../support/http/api-client.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

/** What rudder-cli does with tracking plans, and what comes of it. */
let sluice: Sluice
let api: ApiClient
let sent: () => readonly string[]
const serve = serveWorkspaces({
  workspace: {
    id: 'shop',
    accessTokens: [{ name: 'all', token: hashOf('token'), scopes: ['read', 'write', 'operate', 'admin'] }],
    sources: [],
    destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } }],
    connections: [],
  },
})
beforeEach(async () => {
  const served = await serve()
  sluice = served.sluice
  api = await served.api('Bearer token')
  sent = () => served.transport.requests.map(({ body }) => JSON.stringify(body))
})

type Body = Readonly<Record<string, unknown>> & { readonly id: string }
async function ok(answer: Promise<ApiAnswer>): Promise<Body> {
  const { status, body } = await answer
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const create = (list: string, body: object) => ok(api.post(`/v2/catalog/${list}`, body))

/** A plan of one event `Order`, with what it is made of. */
async function plan(more: object = {}) {
  const type = await create('custom-types', {
    name: 'Amount',
    type: 'number',
    config: { minimum: 0 },
    externalId: 'amount',
  })
  const total = await create('properties', { name: 'total', type: 'Amount', externalId: 'total' })
  const code = await create('properties', {
    name: 'code',
    type: 'string,null',
    propConfig: { maxLength: 3 },
    externalId: 'code',
  })
  const event = await create('events', { name: 'Order', eventType: 'track', categoryId: null, externalId: 'order' })
  const { id } = await create('tracking-plans', { name: 'Plan', description: 'of orders', externalId: 'plan' })
  const rule = {
    id: event.id,
    properties: [
      { id: total.id, required: true, additionalProperties: false },
      { id: code.id, required: false, additionalProperties: false },
    ],
    additionalProperties: false,
    identitySection: 'properties',
    ...more,
  }
  await ok(api.put(`/v2/catalog/tracking-plans/${id}/events?rebuildSchemas=false`, { events: [rule] }))
  return { id, type, total, code, event, rule }
}

async function source(config: object, planId: string) {
  const created = await ok(
    api.post('/v2/event-stream-sources', { externalId: 'web', name: 'Web', type: 'javascript', enabled: true }),
  )
  await api.post('/v2/connections', { sourceId: created.id, destinationId: 'hook', enabled: true })
  await ok(api.post(`/v2/catalog/tracking-plans/${planId}/sources/${created.id}`, { config }))
  const { source: shown } = (await api.get(`/v2/sources/${created.id}`)).body as unknown as {
    source: { writeKey: string; trackingPlan: unknown }
  }
  return { id: created.id, ...shown }
}

async function track(writeKey: string, event: string, properties: object): Promise<void> {
  await sluice.ingest(writeKey, [{ type: 'track', userId: 'u', event, properties: { ...properties } }])
  await sluice.settled()
}

describe('a tracking plan that was applied', () => {
  it('decides about the events of a source that is linked to it', async () => {
    const { id } = await plan()
    const drop = { propagateValidationErrors: 'true', anyOtherViolation: 'drop', allowUnplannedEvents: 'false' }
    const { writeKey } = await source({ track: drop }, id)
    await track(writeKey, 'Order', { total: 1 })
    await track(writeKey, 'Order', { total: -1 })
    await track(writeKey, 'Order', { total: 2, code: 'long' })
    await track(writeKey, 'Other', {})
    await sluice.ingest(writeKey, [{ type: 'page', userId: 'u', name: 'Home' }])
    await sluice.settled()
    expect(sent()).toEqual([expect.stringContaining('"total":1'), expect.stringContaining('"page"')])
  })

  it('is another one as soon as a property of it changes', async () => {
    const { id, type } = await plan()
    const { writeKey } = await source({ track: { anyOtherViolation: 'drop' } }, id)
    await track(writeKey, 'Order', { total: -1 })
    expect(sent()).toEqual([])
    const changed = { name: 'Amount', type: 'number', config: { minimum: -5 } }
    await ok(api.put(`/v2/catalog/custom-types/${type.id}`, changed))
    await track(writeKey, 'Order', { total: -1 })
    expect(sent()).toHaveLength(1)
  })

  for (const { name, config, want } of [
    { name: 'strips properties', config: { unplannedProperties: 'drop' }, want: /^(?!.*extra).*"total":1/ },
    {
      name: 'marks events',
      config: { propagateValidationErrors: 'true' },
      want: /extra.*violationErrors|violationErrors.*extra/,
    },
    {
      name: 'lets events pass as they are',
      config: { propagateValidationErrors: 'false' },
      want: /^(?!.*violationErrors).*extra/,
    },
  ])
    it(`${name}, as each type of events is set`, async () => {
      const { id } = await plan()
      const { writeKey } = await source({ track: config, identify: { anyOtherViolation: 'drop' } }, id)
      await track(writeKey, 'Order', { total: 1, extra: 1 })
      expect(sent()).toEqual([expect.stringMatching(want)])
    })

  it('takes away what it does not have, and leaves what has the wrong type', async () => {
    const { id } = await plan()
    const { writeKey } = await source({ track: { unplannedProperties: 'drop', anyOtherViolation: 'forward' } }, id)
    await track(writeKey, 'Order', { total: 'many', extra: 1 })
    expect(sent()).toEqual([expect.stringMatching(/^(?!.*extra).*"total":"many"/)])
  })

  it('no longer decides once the source is unlinked', async () => {
    const { id } = await plan()
    const linked = await source({ track: { anyOtherViolation: 'drop' } }, id)
    await ok(api.delete(`/v2/catalog/tracking-plans/${id}/sources/${linked.id}`))
    await track(linked.writeKey, 'Order', { total: -1 })
    expect(sent()).toHaveLength(1)
  })

  it('is shown with the source, and where plans are listed', async () => {
    const { id } = await plan()
    const { trackingPlan } = await source({ track: { anyOtherViolation: 'drop' } }, id)
    expect(trackingPlan).toMatchObject({
      events: [{ type: 'track', event: 'Order', onViolation: 'drop' }, {}, {}, {}, {}, {}],
    })
    expect((await api.get('/v2/tracking-plans')).text).toContain('Order')
  })
})

describe('a second apply', () => {
  it('finds everything as it was sent', async () => {
    const { id, type, total, code, event, rule } = await plan()
    const config = {
      track: { propagateValidationErrors: 'true', unplannedProperties: 'drop', allowUnplannedEvents: 'false' },
      identify: { anyOtherViolation: 'forward' },
    }
    const linked = await source(config, id)
    const list = async (path: string) => ((await ok(api.get(path)))['data'] ?? []) as readonly object[]
    const ofKind = (kind: string) => list(`/v2/catalog/${kind}?hasExternalId=true`)
    expect(await ofKind('properties')).toMatchObject([
      { id: total.id, type: 'Amount', definitionId: type.id, itemDefinitionId: '', externalId: 'total' },
      { id: code.id, type: 'string,null', propConfig: { maxLength: 3 }, definitionId: '', itemDefinitionId: '' },
    ])
    expect(await ofKind('custom-types')).toMatchObject([{ id: type.id, config: { minimum: 0 }, properties: [] }])
    expect(await ofKind('events')).toMatchObject([
      { id: event.id, eventType: 'track', categoryId: null, description: '' },
    ])
    const events = `/v2/catalog/tracking-plans/${id}/events`
    expect(await list(`${events}?rebuildSchemas=false`)).toMatchObject([{ id: event.id }])
    expect(await ok(api.get(`${events}/${event.id}?format=properties&rebuildSchemas=false`))).toMatchObject({
      ...rule,
      externalId: 'order',
    })
    expect(await list('/v2/event-stream-sources')).toEqual([
      {
        id: linked.id,
        externalId: 'web',
        name: 'Web',
        type: 'javascript',
        enabled: true,
        workspaceId: 'shop',
        trackingPlan: {
          id,
          config: {
            track: { propagateViolations: true, dropUnplannedProperties: true, dropUnplannedEvents: true },
            identify: { dropOtherViolations: false },
          },
        },
      },
    ])
  })

  it('lists with and without an external id apart, page by page', async () => {
    await Promise.all(
      Array.from({ length: 53 }, (_, i) => create('categories', { name: `c${i}`, externalId: `c${i}` })),
    )
    const { id } = await create('categories', { name: 'mine' })
    const page = (query: string) => ok(api.get(`/v2/catalog/categories?${query}`))
    expect(await page('hasExternalId=false')).toMatchObject({ total: 1, data: [{ id, workspaceId: 'shop' }] })
    const [first, second] = [await page('hasExternalId=true&page=1'), await page('hasExternalId=true&page=2')]
    expect(first).toMatchObject({ total: 53, pageSize: 50, currentPage: 1 })
    expect([...(first['data'] as object[]), ...(second['data'] as object[])]).toHaveLength(53)
  })
})

describe('types for code', () => {
  it('are made of a JSON Schema with lists of types and definitions of custom types', async () => {
    const { id, event } = await plan()
    const { rules } = await ok(api.get(`/v2/catalog/tracking-plans/${id}/events/${event.id}?format=schema`))
    expect(rules).toEqual({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      type: 'object',
      properties: {
        properties: {
          type: 'object',
          properties: { total: { $ref: '#/$defs/Amount' }, code: { type: ['string', 'null'], maxLength: 3 } },
          required: ['total'],
          unevaluatedProperties: false,
        },
      },
      $defs: { Amount: { type: ['number'], minimum: 0 } },
    })
  })

  it('name no type where a property may have any', async () => {
    const { id, event } = await plan()
    const any = await create('properties', { name: 'any', type: '', externalId: 'any' })
    const rule = { id: event.id, properties: [{ id: any.id, required: false }], additionalProperties: false }
    await ok(
      api.put(`/v2/catalog/tracking-plans/${id}/events`, { events: [{ ...rule, identitySection: 'properties' }] }),
    )
    const { rules } = await ok(api.get(`/v2/catalog/tracking-plans/${id}/events/${event.id}?format=schema`))
    expect(rules).toMatchObject({ properties: { properties: { properties: { any: {} } } } })
    expect(JSON.stringify(rules)).not.toContain('"type":[]')
  })

  it('have variants by the value of a property', async () => {
    const kind = await create('properties', { name: 'kind', type: 'string' })
    const url = await create('properties', { name: 'url', type: 'string' })
    const cases = [{ display_name: 'link', match: ['link'], properties: [{ id: url.id, required: true }] }]
    const variants = [
      { type: 'discriminator', discriminator: kind.id, cases, default: [{ id: url.id, required: false }] },
    ]
    const { id, event } = await plan({ variants })
    const { rules } = (await ok(
      api.get(`/v2/catalog/tracking-plans/${id}/events/${event.id}?format=schema`),
    )) as unknown as { rules: { properties: { properties: object } } }
    const has = { properties: { url: { type: ['string'] } } }
    const when = (kind: object, then: object) => ({ if: { properties: { kind } }, then })
    expect(rules.properties.properties).toMatchObject({
      allOf: [
        {
          allOf: [when({ enum: ['link'] }, { ...has, required: ['url'] }), when({ not: { enum: ['link'] } }, has)],
        },
      ],
    })
    const { writeKey } = await source({ track: { anyOtherViolation: 'drop' } }, id)
    await track(writeKey, 'Order', { total: 1, kind: 'link' })
    await track(writeKey, 'Order', { total: 1, kind: 'link', url: 'x' })
    expect(sent()).toHaveLength(1)
  })
})

describe('what is refused', () => {
  const wrong = [
    ['properties', { name: 'x', type: 'colour' }, 'custom type'],
    ['properties', { name: 'x', type: 'string', propConfig: { contentEncoding: 'base64' } }, 'contentEncoding'],
    ['properties', { name: 'x', type: 'string', propConfig: { pattern: '(' } }, 'regular expression'],
    ['events', { name: 'x', eventType: 'click' }, 'eventType'],
    ['events', { name: 'x', eventType: 'track', categoryId: 'none' }, 'not found'],
    ['custom-types', { name: 'x', type: 'object', properties: [{ id: 'none', required: true }] }, 'not found'],
  ] as const
  for (const [list, body, word] of wrong)
    it(`says why with status 400: ${list} ${JSON.stringify(body)}`, async () => {
      const refused = await api.post(`/v2/catalog/${list}`, body)
      expect([refused.status, refused.body['error']]).toEqual([400, expect.stringContaining(word)])
    })

  it('is found by the words that clients look for', async () => {
    await create('categories', { name: 'one', externalId: 'one' })
    const twice = await api.post('/v2/catalog/categories', { name: 'one', externalId: 'two' })
    expect([twice.status, twice.body['error']]).toEqual([400, expect.stringContaining('already exists')])
    const gone = await api.delete('/v2/catalog/events/none')
    expect([gone.status, gone.body['error']]).toEqual([400, expect.stringContaining('not found')])
  })

  it('is the deletion of what a plan needs', async () => {
    const { total } = await plan()
    expect(await api.delete(`/v2/catalog/properties/${total.id}`)).toMatchObject({
      status: 400,
      body: { code: 'planPartUsed' },
    })
  })

  it('is what Sluice does not have, while lists of it are empty', async () => {
    for (const list of [
      'retl-sources?hasExternalId=true&sourceType=model',
      'data-graphs?page=1&pageSize=100',
      'accounts',
    ])
      expect(await ok(api.get(`/v2/${list}`))).toEqual({ data: [], paging: { total: 0 } })
    const refused = {
      status: 400,
      body: { code: 'featureUnsupported', error: expect.stringContaining('Sluice has no') },
    }
    for (const list of ['retl-sources', 'retl-connections', 'data-graphs', 'accounts']) {
      expect(await api.post(`/v2/${list}`, { name: 'x' })).toMatchObject(refused)
      expect(await api.put(`/v2/${list}/one`, { name: 'x' })).toMatchObject(refused)
      expect(await api.put(`/v2/${list}/one/external-id`, { externalId: 'x' })).toMatchObject(refused)
      expect(await api.delete(`/v2/${list}/one`)).toMatchObject(refused)
      expect(await api.get(`/v2/${list}/one`)).toMatchObject({
        status: 404,
        body: { error: refused.body.error },
      })
    }
  })

  it('is a variant of a kind that events are not checked for', async () => {
    const { id, event, code } = await plan()
    const variants = [{ type: 'range', discriminator: code.id, cases: [{ match: ['a'], properties: [] }] }]
    const word = 'type of a variant is range; allowed is: discriminator'
    const rule = { id: event.id, properties: [], additionalProperties: true, identitySection: '', variants }
    const refused = await api.put(`/v2/catalog/tracking-plans/${id}/events`, { events: [rule] })
    expect([refused.status, refused.body['error']]).toEqual([400, expect.stringContaining(word)])
    const type = await api.post('/v2/catalog/custom-types', { name: 'x', type: 'object', config: {}, variants })
    expect([type.status, type.body['error']]).toEqual([400, expect.stringContaining(word)])
  })
})

it('the name of a custom type changes in the properties that have it', async () => {
  const { type, total, id } = await plan()
  const { writeKey } = await source({ track: { anyOtherViolation: 'drop' } }, id)
  await ok(api.put(`/v2/catalog/custom-types/${type.id}`, { name: 'Money', type: 'number', config: { minimum: 0 } }))
  expect(await ok(api.get(`/v2/catalog/properties/${total.id}`))).toMatchObject({
    type: 'Money',
    definitionId: type.id,
  })
  await track(writeKey, 'Order', { total: -1 })
  expect(sent()).toEqual([])
})

it('sources of Terraform have the names of rudder-cli, and others are not listed', async () => {
  for (const type of ['Javascript', 'ReactNative', 'android_kotlin', 'Shopify'])
    await api.post('/v2/sources', { name: type, type, config: null })
  const { data } = await ok(api.get('/v2/event-stream-sources'))
  expect((data as { type: string }[]).map(({ type }) => type)).toEqual(['javascript', 'react_native', 'kotlin'])
})

it('what is nested too deeply is refused, also in a rule', async () => {
  const { id, event, total } = await plan()
  const deep = (levels: number): object =>
    levels === 0 ? {} : { id: total.id, required: true, properties: [deep(levels - 1)] }
  const refused = [
    await api.put(`/v2/catalog/tracking-plans/${id}/events`, { events: [{ id: event.id, properties: [deep(1_000)] }] }),
    await api.post('/v2/catalog/properties', { name: 'x', type: 'string', propConfig: { enum: [deep(1_000)] } }),
  ]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([400, 'planPartInvalid'])
})

it('a source of the workspace file keeps the plan that the file gives it', async () => {
  const served = await serve({
    workspace: {
      id: 'shop',
      accessTokens: [{ name: 'all', token: hashOf('token') }],
      sources: [{ id: 'web', type: 'javascript', writeKey: 'k' }],
      destinations: [],
      connections: [],
    },
  })
  api = await served.api('Bearer token')
  const { id } = await plan()
  const refused = await api.post(`/v2/catalog/tracking-plans/${id}/sources/web`, { config: {} })
  expect(refused).toMatchObject({ status: 409, body: { code: 'managedByFile' } })
})
