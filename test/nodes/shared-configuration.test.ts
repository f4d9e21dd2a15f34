import { describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { noPostgres } from '../support/databases/postgres.ts'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { pause } from '../support/pause.ts'

const workspace = {
  id: 'shop',
  accessTokens: [{ name: 'ci', token: hashOf('token') }],
  sources: [{ id: 'web', writeKey: 'web-key' }],
  destinations: [],
  connections: [],
}

const nodes = useSharedNodes({ node: () => ({ workspace }) })
const { running, start } = nodes

describe.skipIf(noPostgres)('the configuration of several processes', () => {
  it('is the same in all of them when a change is answered, and a new process begins with it', async () => {
    const [first, second] = [await start(), await start()]
    const api = await createApiClient(first, 'Bearer token')
    const source = (await api.post('/v2/sources', { id: 'app', writeKey: 'app-key' })).status
    expect(source).toBe(201)
    expect(second.configuration.find('shop', 'source', 'app')).toMatchObject({ revision: 1, managedBy: 'api' })
    const other = await createApiClient(second, 'Bearer token')
    await other.post('/v2/destinations', {
      id: 'hook',
      type: 'WEBHOOK',
      config: { webhookUrl: `${nodes.receiver.url}/in` },
    })
    await other.post('/v2/connections', { sourceId: 'app', destinationId: 'hook' })
    const third = await start()
    for (const sluice of [first, second, third])
      expect(await sluice.ingest('app-key', [{ type: 'track', event: 'Seen', userId: 'u1' }])).toMatchObject({
        ok: true,
      })
    await Promise.all(running.map((sluice) => sluice.settled()))
    expect(nodes.receiver.received).toHaveLength(3)
  })

  it('takes one of several changes at the same revision, whatever the process', async () => {
    const apis = await Promise.all([await start(), await start()].map((each) => createApiClient(each, 'Bearer token')))
    await apis[0]?.post('/v2/sources', { id: 'app' })
    const answers = await Promise.all(
      apis.map((api, index) => api.put('/v2/sources/app', { name: `Name ${index}` }, { 'if-match': '"1"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const names = await Promise.all(apis.map(async (api) => (await api.get('/v2/sources/app')).body['source']))
    expect(names[0]).toEqual(names[1])
    // Changes of other parts do not conflict.
    const created = await Promise.all(apis.map((api, index) => api.post('/v2/sources', { id: `s${index}` })))
    expect(created.map(({ status }) => status)).toEqual([201, 201])
    for (const sluice of running) expect(sluice.configuration.list('shop', 'source')).toHaveLength(4)
  })

  it('has pauses that hold in all of them once they are answered', async () => {
    const [first, second] = [await start(), await start()]
    const api = await createApiClient(first, 'Bearer token')
    await api.post('/v2/destinations', {
      id: 'hook',
      type: 'WEBHOOK',
      config: { webhookUrl: `${nodes.receiver.url}/in` },
    })
    await api.post('/v2/connections', { sourceId: 'web', destinationId: 'hook' })
    expect((await api.post('/v2/destinations/hook/pause')).status).toBe(200)
    const events = Array.from({ length: 40 }, (_, n) => ({ type: 'track', event: 'Seen', userId: `u${n}` }))
    await second.ingest('web-key', events)
    await pause(300, 'a paused destination gets nothing, in no process')
    expect(nodes.receiver.received).toEqual([])
    const other = await createApiClient(second, 'Bearer token')
    expect((await other.post('/v2/destinations/hook/resume')).status).toBe(200)
    await Promise.all(running.map((sluice) => sluice.settled()))
    expect(nodes.receiver.received).toHaveLength(40)
  })

  it('has no destinations that only one process could run', async () => {
    const api = await createApiClient(await start(), 'Bearer token')
    const refused = await api.post('/v2/destinations', { type: 'DUCKDB', config: { path: 'events.duckdb' } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'configurationInvalid' } })
  })
})
