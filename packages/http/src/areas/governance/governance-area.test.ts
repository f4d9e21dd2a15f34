import { createManualClock, type Workspace } from '@sluice/core'
import { createCatalogue, type EventModel, type EventVersion, type SchemaStore } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import { createAccessAttempts } from '../../gate/access/access-attempts.ts'
import { createGovernanceArea, type GovernanceOptions } from './governance-area.ts'

const workspaceOf = (id: string): Workspace => {
  return { id, name: id, sources: [], destinations: [], connections: [], accessTokens: [] }
}

const modelOf = (id: number, writeKey: string): EventModel => ({
  id,
  eventId: `event-${id}`,
  writeKey,
  eventType: 'track',
  eventIdentifier: `Event ${id}`,
  createdAt: 0,
  schema: { b: 'string', a: 'string' },
  lastSeen: 1_000,
  totalCount: id,
})

const versionOf = (id: number): EventVersion => ({
  id: id * 10,
  versionId: `version-${id}`,
  eventModelId: `event-${id}`,
  schemaHash: 'h',
  schema: { a: 'string' },
  firstSeen: 0,
  lastSeen: 1_000,
  totalCount: id,
})

/** The port, kept by hand: what the suites of the stores promise. Each model has one version. */
function storeOf(models: Readonly<Record<string, readonly EventModel[]>>): SchemaStore {
  const of = (workspaceId: string) => models[workspaceId] ?? []
  const versions = (workspaceId: string) => of(workspaceId).map(({ id }) => versionOf(id))
  return {
    merge: async () => {},
    mergeValues: async () => {},
    models: async (workspaceId, writeKey) =>
      of(workspaceId).filter((model) => writeKey === undefined || model.writeKey === writeKey),
    model: async (workspaceId, eventId) => of(workspaceId).find((model) => model.eventId === eventId),
    versions: async (workspaceId, eventId) =>
      versions(workspaceId).filter(({ eventModelId }) => eventModelId === eventId),
    version: async (workspaceId, versionId) => versions(workspaceId).find((version) => version.versionId === versionId),
    values: async () => new Map(),
    samples: async () => [],
    samplesOf: async () => 0,
    structure: async () => undefined,
    days: async () => [],
    bounds: async (workspaceId, writeKey) => {
      const bound = { writeKey: `key-${workspaceId}`, bound: 'depth', count: 2 } as const
      return writeKey === undefined || writeKey === bound.writeKey ? [bound] : []
    },
    forget: async () => {},
    watch: () => () => {},
  }
}

const models = {
  shop: [modelOf(2, 'key-shop'), modelOf(5, 'key-other')],
  blog: [modelOf(1, 'key-blog'), modelOf(3, 'key-blog')],
}

function openArea(options: Partial<GovernanceOptions> = {}) {
  const clock = createManualClock()
  const area = createGovernanceArea({
    catalogue: createCatalogue({ store: storeOf(models), observers: { all: () => [] } }),
    workspaces: () => [workspaceOf('shop'), workspaceOf('blog')],
    attempts: createAccessAttempts({ clock, clientIp: () => '192.0.2.1' }),
    admin: { user: 'admin', password: 'pass' },
    ...options,
  })
  const send = async (path: string, { method = 'GET', password = 'pass' } = {}) => {
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
    return area.fetch(new Request(`http://sluice.test/schemas/${path}`, { method, headers: { authorization } }))
  }
  const get = async (path: string) => (await send(path)).json()
  return { send, get, clock }
}

describe('the Data Governance API of several workspaces', () => {
  it('lists the models of all of them in order of ID', async () => {
    const listed = (await openArea().get('event-models')) as readonly { ID: number }[]
    expect(listed.map(({ ID }) => ID)).toEqual([1, 2, 3, 5])
  })

  it('lists only the models of the source that the query names; a blank name means all', async () => {
    const { get } = openArea()
    expect(await get('event-models?WriteKey=key-blog')).toMatchObject([{ ID: 1 }, { ID: 3 }])
    expect(await get('event-models?WriteKey=unknown')).toEqual([])
    expect(await get('event-models?WriteKey=')).toHaveLength(4)
  })

  it('finds a record in any of them', async () => {
    const { get } = openArea()
    expect(await get('event-versions?EventID=event-2')).toMatchObject([{ VersionID: 'version-2' }])
    expect(await get('event-versions?EventID=event-3')).toMatchObject([{ VersionID: 'version-3' }])
    expect(await get('event-version/version-1/metadata')).toMatchObject({ TotalCount: 1 })
  })

  it('counts reached limits of all of them, or of one source', async () => {
    const { get } = openArea()
    const limit = (WriteKey: string) => ({ WriteKey, Limit: 'depth', Count: 2 })
    expect(await get('limits')).toEqual([limit('key-shop'), limit('key-blog')])
    expect(await get('limits?WriteKey=key-blog')).toEqual([limit('key-blog')])
  })
})

describe('a request to the Data Governance API', () => {
  it('may ask for the headers only', async () => {
    const response = await openArea().send('event-models', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('with another method learns which one is allowed, in either mode', async () => {
    for (const [strictCompatibility, status, allow] of [
      [false, 405, 'GET, HEAD, OPTIONS'],
      [true, 400, null],
    ] as const) {
      const response = await openArea({ strictCompatibility }).send('event-models', { method: 'DELETE' })
      expect([response.status, response.headers.get('allow')]).toEqual([status, allow])
    }
  })

  it('with an unknown id gets an answer that repeats only the beginning of it', async () => {
    const { msg } = (await openArea().get(`event-model/${'x'.repeat(5_000)}/key-counts`)) as { msg: string }
    expect(msg).toBe(`No EventModel found for given EventID : ${'x'.repeat(100)}`)
  })

  it('learns after ten wrong passwords when to try again, still with 400, and needs no wait with the right one', async () => {
    const { send, clock } = openArea()
    for (let i = 0; i < 10; i += 1) {
      const wrong = await send('event-models', { password: 'guess' })
      expect([wrong.status, await wrong.json()]).toEqual([400, { msg: 'Invalid admin credentials' }])
    }
    const next = send('event-models', { password: 'guess' })
    expect((await send('event-models')).status).toBe(200)
    clock.advance(1_000)
    const slowed = await next
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([400, '1'])
    expect((await send('event-models')).status).toBe(200)
  })

  it('is never cached, neither its answer nor a refusal', async () => {
    const { send } = openArea()
    for (const response of [await send('event-models'), await send('event-models', { password: 'guess' })])
      expect(response.headers.get('cache-control')).toBe('no-store')
  })
})
