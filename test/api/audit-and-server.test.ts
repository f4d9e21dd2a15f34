import { type AccessScope, createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import type { ClusterProcesses } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const token = (name: string, scopes: readonly AccessScope[]) => ({ name, token: hashOf(name), scopes: [...scopes] })
const theShop = shop('http://hook.test/', {
  accessTokens: [token('all', ['read', 'write', 'operate', 'admin']), token('ci', ['read', 'write', 'operate'])],
})
const neighbour = {
  ...shop('http://hook.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour',
  accessTokens: [token('neighbour', ['admin', 'operate'])],
}

let sluice: Sluice
let api: ApiClient
let clock: ManualClock
beforeAll(async () => {
  clock = createManualClock()
  const random = createSeededRandom(7)
  sluice = await createSluice({
    workspace: { workspaces: [theShop, neighbour] },
    transport: createRecordingTransport(),
    clock,
    random,
    store: await openSqliteStore({ path: ':memory:', clock, random }),
    sandbox: { mode: 'in-process' },
  })
  api = await createApiClient(sluice, 'Bearer all')
})
afterAll(() => sluice.stop())

interface Page {
  readonly data: readonly { readonly id: number; readonly at: string; readonly path: string }[]
  readonly paging: { readonly next?: string }
}
const page = async (path: string) => (await api.get(path)).body as unknown as Page

describe('GET /v2/audit', () => {
  beforeAll(async () => {
    for (const name of ['A', 'B', 'C']) {
      await api.as(basic('ada@shop.test', 'ci')).post('/libraries', { name, code: 'export const a = 1' })
      clock.advance(1_000)
    }
    await api.delete('/v2/sources/none')
  })

  it('returns the calls that changed something, newest first, page by page', async () => {
    const first = await page('/v2/audit?limit=3')
    expect(first.data.map(({ path }) => path)).toEqual(['/v2/sources/none', '/libraries', '/libraries'])
    expect(first.data[1]).toEqual({
      id: expect.any(Number),
      at: new Date(clock.now() - 1_000).toISOString(),
      token: 'ci',
      user: 'ada@shop.test',
      method: 'POST',
      path: '/libraries',
      status: 200,
    })
    const second = await page(first.paging.next ?? '')
    expect(second.paging).toEqual({})
    expect([...first.data, ...second.data]).toEqual((await page('/v2/audit')).data)
    expect(second.data).toHaveLength(1)
  })

  it('filters by token, method, beginning of the path and time, on every page', async () => {
    const times = (await page('/v2/audit?path=/lib&token=ci')).data.map(({ at }) => at)
    expect(times).toHaveLength(3)
    expect((await page('/v2/audit?method=DELETE')).data).toHaveLength(1)
    expect((await page(`/v2/audit?since=${times[1]}&until=${times[0]}`)).data.map(({ at }) => at)).toEqual([times[1]])
    const first = await page('/v2/audit?path=/lib&limit=2')
    expect((await page(first.paging.next ?? '')).data.map(({ path }) => path)).toEqual(['/libraries'])
    for (const query of ['since=yesterday', 'method=PATCH', 'after=0', 'limit=0'])
      expect(await api.get(`/v2/audit?${query}`)).toMatchObject({ status: 400, body: { code: 'queryInvalid' } })
  })

  it('needs the scope admin, and shows one workspace', async () => {
    expect((await api.as('Bearer ci').get('/v2/audit')).status).toBe(403)
    expect((await api.as('Bearer neighbour').get('/v2/audit')).body).toEqual({ data: [], paging: {} })
  })

  it('marks calls that only checked, which sluice plan makes', async () => {
    const neighbours = api.as('Bearer neighbour')
    await neighbours.put('/v2/workspace?validate=true&more=1', { name: 'Other' })
    const { data } = (await neighbours.get('/v2/audit')).body as unknown as Page
    expect(data[0]?.path).toBe('/v2/workspace?validate=true')
  })
})

describe('GET /v2/cluster', () => {
  it('lists the process that answers alone, where it has the store for itself', async () => {
    expect(await api.as('Bearer ci').get('/v2/cluster')).toMatchObject({
      status: 200,
      body: {
        processes: [{ id: 'this', isThis: true, state: 'serving', beatAgeMs: 0, lanes: [] }],
        lanesWithoutOwner: [],
      },
    })
  })

  it('says what the process takes of the machine, and how many events it accepts and sends', async () => {
    await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u1' }])
    const { processes } = (await api.as('Bearer ci').get('/v2/cluster')).body as unknown as ClusterProcesses
    expect(processes[0]?.vitals?.memoryBytes).toBeGreaterThan(1_000_000)
    expect(processes[0]?.vitals?.acceptedPerSecond).toBeGreaterThan(0)
    expect(processes[0]?.vitals?.cpuShare).toBeGreaterThanOrEqual(0)
  })
})

describe('GET /v2/server', () => {
  it('describes the process that answers', async () => {
    await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u1' }])
    const { info } = (await api.get('/openapi.json')).body as unknown as { readonly info: { readonly version: string } }
    const { commits: _, ...described } = (await api.as('Bearer ci').get('/v2/server')).body
    expect(described).toEqual({
      version: info.version,
      startedAt: new Date(clock.now() - 3_000).toISOString(),
      uptimeSeconds: 3,
      store: {
        kind: 'SQLite',
        logBytes: expect.any(Number),
        budgetBytes: expect.any(Number),
        reservedBytes: expect.any(Number),
      },
      retention: { ageMs: 86_400_000, bytesMax: 512 * 1_024 ** 2, receiptsMax: 100_000 },
    })
  })

  it('says within which times it has stored what became of events', async () => {
    await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: 'u1' }])
    await eventually(async () => {
      clock.advance(1_000)
      return (await api.as('Bearer ci').get('/v2/server')).body['commits']
    }).toMatchObject({ halfWithinMs: expect.any(Number), count: expect.any(Number) })
  })
})
