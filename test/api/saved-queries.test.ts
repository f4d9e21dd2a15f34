import { createManualClock, createSeededRandom } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const scopes = {
  query: ['operate', 'write'],
  operate: ['read', 'operate'],
  write: ['read', 'write'],
  admin: ['read', 'operate', 'admin'],
} as const
const start = '2026-01-01T00:00:00.000Z'
const revenue = { name: 'Orders a day', sql: 'select count(*) from bought' }

let sluice: Sluice
let api: ApiClient
beforeEach(async () => {
  const ofShop = (id: string) => ({
    ...shop('http://hook.test/', {
      accessTokens: Object.entries(scopes).map(([name, of]) => ({
        name,
        token: hashOf(`${id}-${name}`),
        scopes: of,
      })),
      sources: [{ id: 'web', writeKey: `${id}-key` }],
    }),
    id,
  })
  sluice = await createSluice({
    workspace: { workspaces: [ofShop('shop'), ofShop('other')] },
    transport: createRecordingTransport(),
    clock: createManualClock(Date.parse(start)),
    random: createSeededRandom(7),
  })
  api = await createApiClient(sluice, 'Bearer shop-query')
})
afterEach(() => sluice.stop())

const listed = async (client = api) => (await client.get('/v2/saved-queries')).body['queries']
const save = async (body: object) => {
  const { status, body: answer } = await api.post('/v2/saved-queries', body)
  return { status, id: String(Object(answer['query'])['id']), answer }
}

describe('/v2/saved-queries', () => {
  it('keeps queries in order of creation, with their last change', async () => {
    const { status, id } = await save(revenue)
    expect(status).toBe(201)
    const second = await save({ name: '  Buyers ', sql: 'select 1' })
    expect(await listed()).toEqual([
      { id, ...revenue, updatedAt: start },
      { id: second.id, name: 'Buyers', sql: 'select 1', updatedAt: start },
    ])
  })

  it('changes the members that are sent, and deletes, also twice', async () => {
    const { id } = await save(revenue)
    const changed = await api.put(`/v2/saved-queries/${id}`, { sql: 'select 2' })
    expect([changed.status, changed.body]).toEqual([
      200,
      { query: { id, name: revenue.name, sql: 'select 2', updatedAt: start } },
    ])
    for (const _ of [1, 2]) expect((await api.delete(`/v2/saved-queries/${id}`)).status).toBe(204)
    expect(await listed()).toEqual([])
    expect((await api.put(`/v2/saved-queries/${id}`, { sql: 'select 3' })).status).toBe(404)
  })

  it('refuses a name that another query has, an empty one, and what is too long', async () => {
    await save(revenue)
    expect((await save(revenue)).status).toBe(409)
    for (const more of [{ name: ' ' }, { sql: ' ' }, { name: 'x'.repeat(101) }, { sql: 'x'.repeat(10_001) }])
      expect((await save({ ...revenue, ...more })).status).toBe(400)
    expect(await listed()).toHaveLength(1)
  })

  it('holds at most a hundred of them', async () => {
    for (let n = 0; n < 100; n += 1) expect((await save({ ...revenue, name: `query ${n}` })).status).toBe(201)
    const { status, answer } = await save(revenue)
    expect([status, String(answer['error'])]).toEqual([409, expect.stringContaining('at most 100 saved queries')])
    expect(await listed()).toHaveLength(100)
  })

  it('shows another workspace and callers without both scopes nothing', async () => {
    await save(revenue)
    expect(await listed(await createApiClient(sluice, 'Bearer other-query'))).toEqual([])
    for (const token of ['shop-operate', 'shop-write']) {
      const client = await createApiClient(sluice, `Bearer ${token}`)
      expect((await client.get('/v2/saved-queries')).status).toBe(403)
      expect((await client.post('/v2/saved-queries', { ...revenue, name: 'x' })).status).toBe(403)
    }
  })

  it('are changes that people see, without the SQL', async () => {
    const { id } = await save(revenue)
    await api.put(`/v2/saved-queries/${id}`, { sql: "select * from users where id = 'u-secret'" })
    const { body } = await (await createApiClient(sluice, 'Bearer shop-operate')).get('/v2/changes')
    const texts = (body['data'] as readonly { readonly text: string }[]).map(({ text }) => text)
    expect(texts.slice(0, 2)).toEqual(['changed sql of saved query Orders a day', 'created saved query Orders a day'])
    expect(JSON.stringify(body)).not.toContain('u-secret')
  })
})
