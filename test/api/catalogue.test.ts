import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

let sluice: Sluice
let api: ApiClient
let clock: ManualClock
beforeEach(async () => {
  clock = createManualClock()
  sluice = await createSluice({
    workspace: shop('http://hook.test/', {
      sources: [{ id: 'web', writeKey: 'web-key', trackingPlan }],
      accessTokens: [{ name: 'read', token: hashOf('read'), scopes: ['read'] }],
    }),
    transport: createRecordingTransport(),
    clock,
    random: createSeededRandom(7),
  })
  api = await createApiClient(sluice, 'Bearer read')
})
afterEach(() => sluice.stop())

const trackingPlan = {
  events: [
    {
      type: 'track' as const,
      event: 'Bought',
      schema: { properties: { properties: { properties: { total: { type: 'number' } }, required: ['total', 'id'] } } },
    },
  ],
  onViolation: 'mark' as const,
  unplanned: 'mark' as const,
}
const send = async (...events: readonly (readonly [name: string, properties: object])[]): Promise<void> => {
  const sent = events.map(([event, properties]) => ({ type: 'track', event, userId: 'u1', properties }))
  expect((await sluice.ingest('web-key', sent)).ok).toBe(true)
  await sluice.settled()
}

describe('the drift of the catalogue', () => {
  it('has what is new since a time: events, versions, keys and types, and nothing else', async () => {
    await send(['Bought', { total: 1 }], ['Same', { a: 1 }])
    clock.advance(60_000)
    const since = new Date(clock.now()).toISOString()
    const driftSince = async (time: string, query = '') =>
      (await api.get(`/v2/catalogue/drift?since=${time}${query}`)).body['models'] as readonly object[]
    expect(await driftSince(since)).toEqual([])
    await send(['Bought', { total: 'much', coupon: 'x' }], ['Same', { a: 2 }], ['Fresh', { b: 1 }])
    expect(await driftSince(since)).toMatchObject([
      { model: { event: 'Fresh', sourceId: 'web' }, isNew: true, versions: [{}], newKeys: {}, changedKeys: {} },
      {
        model: { event: 'Bought' },
        isNew: false,
        versions: [{ id: expect.any(String), firstSeen: since, totalCount: 1 }],
        newKeys: { 'properties.coupon': 'string' },
        changedKeys: { 'properties.total': { from: [expect.any(String)], to: 'string' } },
      },
    ])
    clock.advance(1)
    expect(await driftSince(new Date(clock.now()).toISOString())).toEqual([])
    expect((await api.get('/v2/catalogue/drift?since=yesterday')).status).toBe(400)
    expect((await api.get(`/v2/catalogue/drift?since=${since}&sourceId=none`)).status).toBe(404)
  })
})

describe('an event of the catalogue', () => {
  it('has its events by day in UTC', async () => {
    const today = new Date(clock.now()).toISOString().slice(0, 10)
    await send(['Seen', {}], ['Seen', { price: 3 }])
    clock.advance(2 * 86_400_000)
    const later = new Date(clock.now()).toISOString().slice(0, 10)
    await send(['Seen', {}])
    const [model] = (await api.get('/v2/catalogue/models')).body['models'] as readonly { readonly id: string }[]
    const { body } = await api.get(`/v2/catalogue/models/${model?.id}`)
    expect(body['days']).toEqual([
      { day: today, events: 2 },
      { day: later, events: 1 },
    ])
  })

  it('has the columns of keys that share one in warehouses', async () => {
    await send(['Seen', { 'na!e': 1, 'na%e': 2, price: 3 }])
    const [model] = (await api.get('/v2/catalogue/models')).body['models'] as readonly { readonly id: string }[]
    const { body } = await api.get(`/v2/catalogue/models/${model?.id}`)
    expect(body['columns']).toEqual({
      'properties.na!e': expect.stringMatching(/^na_e_/),
      'properties.na%e': expect.stringMatching(/^na_e_/),
    })
  })
})

describe('the tracking plans', () => {
  it('have how many events violated them, by planned event and type, each event once for each type', async () => {
    await send(
      ['Bought', { total: 1, id: 'o1' }],
      ['Bought', { total: 'much' }],
      ['Bought', {}],
      ['Bought', { total: 'some', id: 1 }],
      ['Unknown', {}],
    )
    expect((await api.get('/v2/tracking-plans')).body['plans']).toEqual([
      {
        sourceId: 'web',
        onViolation: 'mark',
        unplanned: 'mark',
        events: [
          {
            type: 'track',
            event: 'Bought',
            schema: trackingPlan.events[0]?.schema,
            violations: { 'Datatype-Mismatch': 2, 'Required-Missing': 2 },
          },
        ],
        unplannedEvents: 1,
      },
    ])
    const direct = { type: 'track', event: 'Bought', userId: 'u2', properties: {} }
    expect((await sluice.process('web-key', [direct])).ok).toBe(true)
    const text = async (): Promise<string> => {
      clock.advance(1_000)
      return (await api.get('/v2/tracking-plans')).text
    }
    await eventually(text).toContain('"Required-Missing":3')
  })
})
