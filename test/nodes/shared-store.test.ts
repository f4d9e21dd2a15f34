import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { ask, noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { pause } from '../support/pause.ts'
import { shop } from '../support/scenes/shop.ts'

/** Status of the requests to the receiver from now on. */
let status: number
beforeEach(() => {
  status = 200
})

const nodes = useSharedNodes({
  node: () => ({
    workspace: workspace(),
    // Lanes move quickly; the lease and the time to hand over are long enough for a busy machine.
    times: { beatMs: 200, handOverMs: 30_000 },
    // A destination that fails for some seconds holds up no lane, and is not left alone for longer.
    delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 5 }, circuit: { failuresMax: 100_000 } },
  }),
  statusOf: () => status,
})
const { schema, errors, start, stop } = nodes

const workspace = () => shop(nodes.receiver.url, { accessTokens: [{ name: 'ci', token: hashOf('token') }] })

const users = Array.from({ length: 20 }, (_, n) => `user ${n}`)
const step = (userId: string, n: number) => ({ type: 'track', event: 'Step', userId, properties: { n } })

/** Sends step n of every user. */
async function send(sluice: Sluice, n: number): Promise<void> {
  const answer = await sluice.ingest(
    'web-key',
    users.map((userId) => step(userId, n)),
  )
  expect(answer).toMatchObject({ ok: true })
}

/** The steps that arrived, by user, in order of arrival. */
function arrived(): ReadonlyMap<string, readonly number[]> {
  const steps = new Map<string, number[]>()
  for (const { body } of nodes.receiver.received) {
    const { userId, properties } = JSON.parse(body)
    steps.set(userId, [...(steps.get(userId) ?? []), properties.n])
  }
  return steps
}

const upTo = (count: number): ReadonlyMap<string, readonly number[]> =>
  new Map(users.map((userId) => [userId, Array.from({ length: count }, (_, n) => n)]))

/** Waits until the node with the largest or smallest digest of its definition is drained, and the other has all lanes. */
const lanesMoved = (which: 'max' | 'min') =>
  eventually(async () => {
    const rows = await ask(
      `select (definition = (select ${which}(definition) from ${schema}.node)) as drains, count(lane.number)::int as lanes
       from ${schema}.node left join ${schema}.lane on node_id = id group by id, definition order by 2`,
    )
    return rows.map(({ drains, lanes }) => [drains, lanes])
  }).toEqual([
    [true, 0],
    [false, 32],
  ])

describe.skipIf(noPostgres)('processes that share a store', () => {
  it('let events wait for a destination that one of them does not know yet, and remove one when all have', async () => {
    const [a, b] = [await start(), await start()]
    await send(a, 0)
    await a.settled()
    const { destinations, connections, ...rest } = workspace()
    const more = {
      ...rest,
      destinations: [...destinations, ...destinations.map((each) => ({ ...each, id: 'new' }))],
      connections: [...connections, ...connections.map((each) => ({ ...each, destination: 'new' }))],
    }
    const ofNew = async (sluice: Sluice) =>
      (await sluice.stats())[0]?.destinations.find(({ destinationId }) => destinationId === 'new')
    await a.updateWorkspace(more)
    // Its first events wait for a retry, also when their lanes move to the one that does not know it, and back.
    status = 503
    await send(a, 1)
    const definitions = async () =>
      (await ask(`select distinct definition from ${schema}.node where definition <> ''`)).length
    await eventually(definitions).toBe(2)
    for (const node of [a, b]) await eventually(() => node.metrics()).toContain('sluice_cluster_other_definitions 1')
    for (const which of ['max', 'min', 'max'] as const) {
      await ask(
        `update ${schema}.node set is_draining = (definition = (select ${which}(definition) from ${schema}.node))`,
      )
      await lanesMoved(which)
      await pause(250, 'a node that does not know the destination would drop its events within some retries of 50 ms')
    }
    await ask(`update ${schema}.node set is_draining = false`)
    expect([(await ofNew(a))?.delivered, (await ofNew(a))?.dropped]).toEqual([0, {}])
    status = 200
    await b.updateWorkspace(more)
    await a.settled()
    expect(await ofNew(b)).toMatchObject({ delivered: 20, pending: 0 })

    const consumers = async () =>
      (await ask(`select distinct consumer from ${schema}.log_cursor order by 1`)).map(({ consumer }) => consumer)
    await a.updateWorkspace(workspace())
    await pause(1_200, 'the cursors of a destination must stay while one process knows it')
    expect(await consumers()).toContain('destination/new')
    await send(b, 2)
    await b.updateWorkspace(workspace())
    await eventually(consumers).not.toContain('destination/new')
    await a.settled()
    expect((await ofNew(a)) ?? { pending: 0 }).toMatchObject({ pending: 0 })
  })

  it('deliver every event once and in the order of its user, and count together', async () => {
    const [a, b] = [await start(), await start()]
    for (let n = 0; n < 10; n += 1) await send(n % 2 === 0 ? a : b, n)
    await a.settled()
    expect(arrived()).toEqual(upTo(10))
    const stats = await a.stats()
    expect(await b.stats()).toEqual(stats)
    expect(stats).toMatchObject([{ accepted: 200, destinations: [{ delivered: 200, pending: 0 }] }])
    const [model] = await b.catalogue.models('shop')
    expect(model).toMatchObject({ eventIdentifier: 'Step', totalCount: 200 })
    expect(errors).toEqual([])
  })

  it('take over the users of one that leaves; nothing is lost, doubled or refused', async () => {
    const [a, b] = [await start(), await start()]
    let n = 0
    let isLeaving = true
    const sending = (async () => {
      while (isLeaving || n < 10) {
        await send(a, n)
        n += 1
      }
    })()
    await eventually(() => n).toBeGreaterThanOrEqual(5)
    await stop(b)
    isLeaving = false
    await sending
    await a.settled()
    expect(arrived()).toEqual(upTo(n))
    expect(await a.stats()).toMatchObject([{ destinations: [{ delivered: n * 20, pending: 0 }] }])
  })

  it('let no event of a regulated user pass once one of them has answered', async () => {
    const [a, b] = [await start(), await start()]
    const api = await createApiClient(a, basic('me@shop.test', 'token'))
    const body = { regulationType: 'suppress', users: [{ userId: 'user 3' }] }
    expect((await api.post('/v2/regulations', body)).status).toBeLessThan(300)
    await send(b, 0)
    await send(a, 1)
    await b.settled()
    expect(arrived()).toEqual(new Map([...upTo(2)].filter(([userId]) => userId !== 'user 3')))
  })

  it('run the code that one of them has published', async () => {
    const [a, b] = [await start(), await start()]
    const api = await createApiClient(a, basic('me@shop.test', 'token'))
    const code = 'export function transformEvent(event) { event.properties.n += 100; return event }'
    const made = await api.post('/transformations?publish=true', {
      name: 'add',
      code,
      language: 'javascript',
      destinationIds: ['hook'],
    })
    expect([made.status, made.text]).toEqual([200, expect.any(String)])
    await send(b, 0)
    await b.settled()
    expect(new Set([...arrived().values()].flat())).toEqual(new Set([100]))
  })

  it('try again what another one could not deliver before it left', async () => {
    const [a, b] = [await start(), await start()]
    status = 503
    await send(a, 0)
    await eventually(() => nodes.receiver.received.length).toBeGreaterThanOrEqual(users.length)
    await stop(b)
    status = 200
    await a.settled()
    expect(await a.stats()).toMatchObject([{ destinations: [{ delivered: 20, pending: 0 }] }])
    expect([...arrived().keys()].sort()).toEqual([...users].sort())
  })
})
