import { systemClock, systemRandom } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let schema: string
let receiver: Receiver
/** Of the requests to the receiver from now on. */
let status: number
const running = new Set<Sluice>()
const errors: unknown[] = []

beforeEach(async () => {
  schema = freshSchema()
  status = 200
  errors.length = 0
  receiver = await startReceiver(() => status)
})

afterEach(async () => {
  for (const sluice of running) await sluice.stop()
  running.clear()
  await receiver.close()
  await dropSchema(schema)
})

const workspace = () => shop(receiver.url, { accessTokens: [{ name: 'ci', token: hashOf('token') }] })

/** Starts another process of the cluster, within this one. */
async function start(options: Partial<SluiceOptions> = {}): Promise<Sluice> {
  const onError = (error: unknown): void => void errors.push(error)
  const clock = systemClock
  const store = await openPostgresStore({ url: postgresUrl, schema, clock, random: systemRandom, onError })
  const sluice = await createSluice({
    workspace: workspace(),
    store,
    onError,
    allowAddresses: ['127.0.0.1'],
    retries: { backoff: { baseMs: 50, capMs: 50 } },
    ...options,
  })
  running.add(sluice)
  return sluice
}

async function stop(sluice: Sluice): Promise<void> {
  running.delete(sluice)
  await sluice.stop()
}

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
  for (const { body } of receiver.received) {
    const { userId, properties } = JSON.parse(body)
    steps.set(userId, [...(steps.get(userId) ?? []), properties.n])
  }
  return steps
}

const upTo = (count: number): ReadonlyMap<string, readonly number[]> =>
  new Map(users.map((userId) => [userId, Array.from({ length: count }, (_, n) => n)]))

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

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
    for (const which of ['max', 'min', 'max']) {
      await ask(
        `update ${schema}.node set is_draining = (definition = (select ${which}(definition) from ${schema}.node))`,
      )
      await new Promise((resolve) => setTimeout(resolve, 1_300))
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
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await consumers()).toContain('destination/new')
    await send(b, 2)
    await b.updateWorkspace(workspace())
    await until(async () => !(await consumers()).includes('destination/new'))
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
    await until(() => n >= 5)
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
    await until(() => receiver.received.length >= users.length)
    await stop(b)
    status = 200
    await a.settled()
    expect(await a.stats()).toMatchObject([{ destinations: [{ delivered: 20, pending: 0 }] }])
    expect([...arrived().keys()].sort()).toEqual([...users].sort())
  })
})
