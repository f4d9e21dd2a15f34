import { systemClock, systemRandom } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWay, type Way } from '../support/cluster/way.ts'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const times = { leaseMs: 1_500, beatMs: 300, marginMs: 300, handOverMs: 500 }

let schema: string
let receiver: Receiver
const arrivals: { readonly userId: string; readonly n: number; readonly at: number }[] = []
const cleanups: (() => unknown)[] = []

beforeEach(async () => {
  schema = freshSchema()
  arrivals.length = 0
  receiver = await startReceiver(({ body }) => {
    const { userId, properties } = JSON.parse(body)
    arrivals.push({ userId, n: properties.n, at: performance.now() })
    return 200
  })
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  await receiver.close()
  await dropSchema(schema)
})

async function start(url = postgresUrl): Promise<Sluice> {
  const store = await openPostgresStore({ url, schema, clock: systemClock, random: systemRandom, times })
  const sluice = await createSluice({ workspace: shop(receiver.url), store, allowAddresses: ['127.0.0.1'] })
  cleanups.push(() => sluice.stop(1_000))
  return sluice
}

/** A way to the database that can be cut, and its address. */
async function startDatabaseWay(): Promise<Way & { readonly url: string }> {
  const url = new URL(postgresUrl)
  const way = await startWay(Number(url.port))
  url.port = String(way.port)
  cleanups.push(() => way.close())
  return { ...way, url: url.href }
}

const step = (userId: string, n: number) => ({ type: 'track', event: 'Step', userId, properties: { n } })
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe.skipIf(noPostgres)('a process that is cut off from the database', () => {
  it('refuses events within its lease, lets no regulated user pass, and takes part again when the way is mended', async () => {
    const way = await startDatabaseWay()
    const [a, b] = [await start(), await start(way.url)]
    const users = Array.from({ length: 12 }, (_, n) => `u${n}`)
    for (const node of [a, b])
      expect(
        await node.ingest(
          'web-key',
          users.map((userId) => step(userId, 0)),
        ),
      ).toMatchObject({ ok: true })
    await a.settled()

    way.cut()
    const cutAt = performance.now()
    await a.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u3' }] })
    const answeredAt = performance.now()
    expect(answeredAt - cutAt).toBeGreaterThan(times.leaseMs - times.beatMs - times.marginMs)
    // The one that was cut off holds nothing any more, and says so at once.
    expect(await b.ingest('web-key', [step('u3', 1)])).toMatchObject({ ok: false })
    await a.ingest(
      'web-key',
      users.map((userId) => step(userId, 1)),
    )
    const isThere = (userId: string): boolean => arrivals.some((each) => each.userId === userId && each.n === 1)
    while (!users.every((userId) => userId === 'u3' || isThere(userId))) await sleep(20)

    way.mend()
    for (;;) {
      const answer = await b.ingest('web-key', [step('u3', 2), step('u5', 2)])
      if (answer.ok) break
      await sleep(50)
    }
    await a.settled()
    expect(arrivals.filter(({ userId, at }) => userId === 'u3' && at > answeredAt)).toEqual([])
    expect(arrivals.filter(({ userId, n }) => userId === 'u5' && n === 2)).toHaveLength(1)
  })

  it('counts and delivers exactly, however often processes are taken for dead', async () => {
    const nodes = [await start(), await start()]
    let isOver = false
    const sent = new Map<string, number>()
    const sending = nodes.map(async (_, which) => {
      for (let n = 0; !isOver; n += 1) {
        const userId = `u${which}-${n % 7}`
        const next = sent.get(userId) ?? 0
        const node = nodes[n % 2]
        // Until it is acknowledged, so that the order of the user is known.
        while (!(await node?.ingest('web-key', [step(userId, next)]))?.ok) await sleep(5)
        sent.set(userId, next + 1)
      }
    })
    for (let storms = 0; storms < 25; storms += 1) {
      await sleep(80)
      await ask(`delete from ${schema}.node where id in (select id from ${schema}.node order by random() limit 1)`)
    }
    isOver = true
    await Promise.all(sending)
    await nodes[0]?.settled()
    const [source] = (await nodes[0]?.stats()) ?? []
    expect(source).toMatchObject({ destinations: [{ delivered: source?.accepted, pending: 0 }] })
    const seen = new Map<string, number>()
    for (const { userId, n } of arrivals) {
      const next = seen.get(userId) ?? 0
      expect(n, `the order of ${userId}`).toBeLessThanOrEqual(next)
      if (n === next) seen.set(userId, next + 1)
    }
    expect(seen).toEqual(sent)
  })
})
