import type { Sluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { ask, noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

const nodes = useSharedNodes({ node: () => ({ workspace: older(), times: { beatMs: 200, handOverMs: 30_000 } }) })
const { schema, start, stop, lanes } = nodes

const older = () => shop(`${nodes.receiver.url}/hook`, { accessTokens: [{ name: 'ci', token: hashOf('token') }] })

/** The same file with one more destination. */
const newer = () => {
  const { destinations, connections, ...rest } = older()
  const settings = { webhookUrl: `${nodes.receiver.url}/new` }
  return {
    ...rest,
    destinations: [...destinations, ...destinations.map((each) => ({ ...each, id: 'new', settings }))],
    connections: [...connections, ...connections.map((each) => ({ ...each, destination: 'new' }))],
  }
}

const users = Array.from({ length: 20 }, (_, n) => `user ${n}`)
const send = (sluice: Sluice, key = 'web-key') =>
  sluice.ingest(
    key,
    users.map((userId) => ({ type: 'track', event: 'Step', userId })),
  )
const arrivedAt = (path: string): number => nodes.receiver.received.filter((each) => each.path === path).length

const health = async (sluice: Sluice) => (await sluice.fetch(new Request('http://x/health'))).json()
const hasWarning = (sluice: Sluice, warning: string) =>
  eventually(() => health(sluice)).toMatchObject({ status: 'ok', warnings: expect.arrayContaining([warning]) })
const isOlder = (sluice: Sluice) => hasWarning(sluice, 'olderDefinition')
const isAlike = (sluice: Sluice) =>
  eventually(async () => (await sluice.metrics()).includes('sluice_cluster_other_definitions 0')).toBe(true)

describe.skipIf(noPostgres)('events taken by a process with an older file', () => {
  it('reach the destinations of the newer one, while both live', async () => {
    const a = await start()
    const b = await start({ workspace: newer() })
    await isOlder(a)
    for (let n = 0; n < 3; n += 1) expect(await send(a)).toMatchObject({ ok: true })
    await eventually(() => arrivedAt('/new')).toBe(60)
    await b.settled()
    expect(arrivedAt('/hook')).toBe(60)
    const [stats] = await b.stats()
    expect(
      stats?.destinations.map(({ destinationId, delivered, pending }) => [destinationId, delivered, pending]),
    ).toEqual([
      ['hook', 60, 0],
      ['new', 60, 0],
    ])
  })

  it('reach them too when that process was started last, with a file that was there before', async () => {
    const first = await start()
    const b = await start({ workspace: newer() })
    await stop(first)
    const late = await start()
    await isOlder(late)
    await send(late)
    await eventually(() => arrivedAt('/new')).toBe(20)
    await hasWarning(b, 'otherDefinitions')
  })

  it('do not go to a destination that the newer file does not have any more', async () => {
    const a = await start({ workspace: newer() })
    const b = await start()
    await isOlder(a)
    await send(a)
    await eventually(() => arrivedAt('/hook')).toBe(20)
    // Nothing waits for the destination when the last process that knows it is gone.
    await stop(a)
    await b.settled()
    expect([arrivedAt('/hook'), arrivedAt('/new')]).toEqual([20, 0])
  })

  it('wait where they are delivered by processes that do not know the destination, until half of all do', async () => {
    const old = [await start(), await start()]
    const b = await start({ workspace: newer() })
    await eventually(lanes).toBe('10,11,11')
    for (const each of old) {
      await isOlder(each)
      await send(each)
    }
    await eventually(() => arrivedAt('/hook')).toBe(40)
    const arrived = arrivedAt('/new')
    expect(arrived).toBeLessThan(40)
    for (const each of old.slice(1)) await stop(each)
    await eventually(() => arrivedAt('/new')).toBe(40)
    await eventually(lanes).toBe('0,32')
    expect(await b.stats()).toMatchObject([{ accepted: 40 }])
  })

  it('wait for a process with the newer file that was killed, and not after it has not come back for five minutes', async () => {
    const times = { leaseMs: 3_000, beatMs: 200, marginMs: 300, handOverMs: 500 }
    const a = await start({ times })
    const b = await start({ times, workspace: newer() })
    await isOlder(a)
    const kill = async (killed: Sluice) => {
      // A process that is killed leaves its row, and beats no more.
      await ask(`
        insert into ${schema}.node
        select (jsonb_populate_record(node, '{"id": "00000000-killed"}')).* from ${schema}.node
        order by (select seen_at from ${schema}.defined_file where digest = file) desc limit 1`)
      await stop(killed)
      await eventually(() => ask(`select id from ${schema}.node`)).toHaveLength(1)
    }
    await kill(b)
    await send(a)
    await eventually(() => arrivedAt('/hook')).toBe(20)
    await isOlder(a)
    expect(await a.stats()).toMatchObject([
      { destinations: [expect.anything(), { destinationId: 'new', accepted: 20, pending: 20, failed: {} }] },
    ])
    const again = await start({ times, workspace: newer() })
    await eventually(() => arrivedAt('/new')).toBe(20)
    await kill(again)
    await send(a)
    await ask(`update ${schema}.defined_file set silent_at = silent_at - 300000`)
    await eventually(async () => JSON.stringify(await health(a))).not.toContain('olderDefinition')
    await a.settled()
    expect(arrivedAt('/new')).toBe(20)
    expect(await a.stats()).toMatchObject([
      { destinations: [expect.anything(), { destinationId: 'new', pending: 0, failed: { 'destination.gone': 20 } }] },
    ])
  })

  it('are refused with 503 and the way out when only the newer file knows their source', async () => {
    const a = await start()
    const { sources, connections, ...rest } = newer()
    await start({
      workspace: {
        ...rest,
        sources: [...sources, { id: 'app', writeKey: 'app-key' }],
        connections: [...connections, { source: 'app', destination: 'new' }],
      },
    })
    await isOlder(a)
    expect(await send(a, 'app-key')).toMatchObject({
      ok: false,
      code: 'unavailable',
      detail: expect.stringContaining('give it the same file, and restart it or send SIGHUP'),
    })
    const answer = await a.fetch(
      new Request('http://x/v1/track', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('app-key:')}`, 'content-type': 'application/json' },
        body: JSON.stringify({ userId: 'u1', event: 'Step' }),
      }),
    )
    expect(answer.status).toBe(503)
    expect(await a.process('web-key', [{ type: 'track', event: 'Step', userId: 'u1' }])).toMatchObject({
      code: 'unavailable',
    })
  })

  it('reach a destination that was connected through the API of either process', async () => {
    const a = await start()
    const b = await start({ workspace: newer() })
    await isOlder(a)
    for (const [index, sluice] of [a, b].entries()) {
      const api = await createApiClient(sluice, 'Bearer token')
      const config = { webhookUrl: `${nodes.receiver.url}/api${index}` }
      await api.post('/v2/destinations', { id: `api${index}`, type: 'WEBHOOK', config })
      await api.post('/v2/connections', { sourceId: 'web', destinationId: `api${index}` })
    }
    const routes = async () =>
      String((await ask(`select string_agg(routes_json, '') as all from ${schema}.defined_file`))[0]?.['all'])
    await eventually(routes).toContain('api1')
    await eventually(async () => {
      await send(a)
      await b.settled()
      return arrivedAt('/api1') > 0 && arrivedAt('/api0') > 0
    }).toBe(true)
    expect(arrivedAt('/new')).toBeGreaterThan(0)
  })
})

describe.skipIf(noPostgres)('different files', () => {
  it('are shown by every process, and not any more once all have the same', async () => {
    const a = await start()
    const b = await start({ workspace: newer() })
    await isOlder(a)
    await hasWarning(b, 'otherDefinitions')
    const shown = async (sluice: Sluice) =>
      (await (await createApiClient(sluice, 'Bearer token')).get('/v2/server')).body
    expect(await shown(a)).toMatchObject({ cluster: { otherDefinitions: 1, hasOlderDefinition: true } })
    expect(await shown(b)).toMatchObject({ cluster: { otherDefinitions: 1, hasOlderDefinition: false } })
    expect(nodes.errors.map(String)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('and this one has an older file'),
        expect.stringContaining('and none has a newer file'),
      ]),
    )
    await a.updateWorkspace(uncheckedWorkspace(newer()))
    for (const each of [a, b]) {
      await isAlike(each)
      expect(await shown(each)).toMatchObject({ cluster: { otherDefinitions: 0, hasOlderDefinition: false } })
      expect(await health(each)).not.toMatchObject({ warnings: expect.arrayContaining(['otherDefinitions']) })
    }
  })

  it('leave the newest one to count to which a running process returns', async () => {
    const a = await start()
    const b = await start({ workspace: newer() })
    await isOlder(a)
    await b.updateWorkspace(older())
    for (const each of [a, b]) await isAlike(each)
    await a.updateWorkspace(uncheckedWorkspace(newer()))
    await isOlder(b)
    await a.updateWorkspace(older())
    await isAlike(b)
    const c = await start({ workspace: newer() })
    // It has a file that was left, and must not bring it back.
    await isOlder(c)
    await send(c)
    await eventually(() => arrivedAt('/hook')).toBe(20)
    await stop(c)
    await a.settled()
    expect(arrivedAt('/new')).toBe(0)
  })
})

describe.skipIf(noPostgres)('messages that are remembered to find duplicates', () => {
  it('are forgotten after their time by a leader that takes no events itself', async () => {
    const deduplication = { windowMs: 1_000 }
    await start({ deduplication })
    const [leader] = await ask(`select id from ${schema}.node`)
    const b = await start({ deduplication })
    await ask(`update ${schema}.node set is_draining = (id <> '${leader?.['id']}')`)
    await eventually(lanes).toBe('0,32')
    await send(b)
    const remembered = async () => Number((await ask(`select count(*) as n from ${schema}.message_digest`))[0]?.['n'])
    expect(await remembered()).toBe(20)
    await eventually(remembered).toBe(0)
  })
})
