import { systemClock, systemRandom } from '@sluice/core'
import { createMemoryStore } from '@sluice/storage'
import { warehouseDestinations } from '@sluice/warehouse'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { basic, hashOf } from '../support/http/api-client.ts'
import { type DocumentedHandler, documented } from '../support/http/documented.ts'
import { shop } from '../support/scenes/shop.ts'
import { conformanceJson, hasConformance } from '../support/texts/conformance.ts'

let sluice: Sluice
let api: DocumentedHandler

beforeEach(async () => {
  const a = {
    ...shop('http://a.test/hook'),
    id: 'a',
    accessTokens: [{ name: 'ci', token: hashOf('token-a') }],
    destinations: [
      {
        id: 'hook-a',
        type: 'WEBHOOK' as const,
        settings: { webhookUrl: 'http://a.test/hook', headers: [{ from: 'X-Key', to: 'very-secret-value' }] },
      },
    ],
    connections: [{ source: 'web', destination: 'hook-a' }],
  }
  const b = {
    ...shop('http://b.test/hook'),
    id: 'b',
    sources: [{ id: 'web-b', writeKey: 'b-key' }],
    connections: [],
    accessTokens: [{ name: 'ci', token: 'env:B_TOKEN' }],
  }
  sluice = await createSluice({
    workspace: { workspaces: [a, b] },
    env: { B_TOKEN: 'token-of-workspace-b' },
    admin: { user: 'admin', password: 'pass' },
  })
  api = await documented(sluice)
})

afterEach(() => sluice.stop())

async function get(path: string, authorization?: string): Promise<Response> {
  return api.fetch(new Request(`http://sluice.test${path}`, { headers: authorization ? { authorization } : {} }))
}

describe('sources and destinations', () => {
  it('are listed for a Bearer token and for a token as Basic password, whatever the user name', async () => {
    for (const authorization of ['Bearer token-a', basic('ada@mail.test', 'token-a'), basic('', 'token-a')]) {
      expect(await (await get('/v2/sources', authorization)).json()).toEqual({
        sources: [
          {
            id: 'web',
            name: 'web',
            writeKey: 'web-key',
            enabled: true,
            config: {},
            workspaceId: 'a',
            managedBy: 'file',
          },
        ],
        paging: { total: 1 },
      })
    }
  })

  it("are those of the token's workspace, never of another one", async () => {
    const ofA = await (await get('/v2/destinations', 'Bearer token-a')).text()
    const ofB = await (await get('/v2/destinations', 'Bearer token-of-workspace-b')).text()
    expect(ofA).toContain('hook-a')
    expect(ofA).not.toContain('b.test')
    expect(ofB).not.toContain('hook-a')
  })

  it('show no secret setting', async () => {
    const text = await (await get('/v2/destinations', 'Bearer token-a')).text()
    expect(text).toContain('X-Key')
    expect(text).not.toContain('very-secret-value')
  })

  it('are refused with 401 and WWW-Authenticate without a valid token', async () => {
    for (const authorization of [undefined, 'Bearer wrong', 'Bearer ', basic('token-a', ''), 'Digest x']) {
      for (const path of ['/v2/sources', '/v2/destinations']) {
        const response = await get(path, authorization)
        expect([path, authorization, response.status]).toEqual([path, authorization, 401])
        expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
      }
    }
  })
})

describe('destination definitions', () => {
  it('are open to everyone and contain defaultConfig', async () => {
    const response = await get('/destination-definitions')
    expect(response.status).toBe(200)
    const definitions = (await response.json()) as { name: string; defaultConfig: string[] }[]
    expect(definitions.length).toBeGreaterThan(0)
    for (const { defaultConfig } of definitions) expect(Array.isArray(defaultConfig)).toBe(true)
  })

  it('say which types the Test API does not support', async () => {
    const definitions = (await (await get('/destination-definitions')).json()) as {
      type: string
      isTestable: boolean
    }[]
    const others = definitions.filter(({ isTestable }) => !isTestable).map(({ type }) => type)
    const streams = [
      'AZURE_EVENT_HUB',
      'CONFLUENT_CLOUD',
      'EVENTBRIDGE',
      'FIREHOSE',
      'GOOGLEPUBSUB',
      'KAFKA',
      'KINESIS',
    ]
    const brokers = ['MQTT', 'NATS', 'RABBITMQ', 'REDIS_STREAMS', 'SQS']
    const warehouses = warehouseDestinations().map(({ type }) => type)
    expect(others.toSorted()).toEqual(['CONSOLE', 'FILE', 'REDIS', 'S3', ...streams, ...brokers, ...warehouses].sort())
  })

  it.skipIf(!hasConformance)('name the settings of a type as RudderStack does', async () => {
    const reference = conformanceJson('definitions.json') as Record<string, { type: string; defaultConfig: string[] }>
    const definitions = (await (await get('/destination-definitions')).json()) as {
      type: string
      defaultConfig: string[]
    }[]
    const both = definitions.flatMap(({ type, defaultConfig }) => {
      const theirs = Object.values(reference).find((each) => each.type === type)
      return theirs ? [{ type, defaultConfig, wanted: theirs.defaultConfig }] : []
    })
    expect(both.length).toBeGreaterThan(5)
    for (const { defaultConfig, wanted } of both) expect(defaultConfig).toEqual(wanted)
  })
})

describe('health', () => {
  it('is open without credentials, and says when the pipeline is stopping', async () => {
    expect((await get('/health')).status).toBe(200)
    await sluice.stop()
    expect((await get('/health')).status).toBe(503)
  })

  it('reports that the store has stopped by itself, so that a supervisor restarts the process', async () => {
    const store = createMemoryStore({ clock: systemClock, random: systemRandom })
    let isLost = false
    const alone = await createSluice({
      workspace: { id: 'w', sources: [], destinations: [], connections: [] },
      store: { ...store, isLost: () => isLost },
    })
    const health = async () => (await alone.fetch(new Request('http://sluice.test/health'))).json()
    expect(await health()).toEqual({ status: 'ok' })
    isLost = true
    expect(await health()).toEqual({ status: 'unavailable', reason: 'storeLost' })
    await alone.stop()
  })
})
