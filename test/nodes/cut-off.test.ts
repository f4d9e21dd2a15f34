import type { Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { startWay, type Way } from '../support/cluster/way.ts'
import { ask, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually, until } from '../support/eventually.ts'
import { pause } from '../support/pause.ts'

const times = { leaseMs: 1_500, beatMs: 300, marginMs: 300, handOverMs: 500 }

const arrivals: { readonly userId: string; readonly n: number; readonly at: number }[] = []
beforeEach(() => {
  arrivals.length = 0
})
// Registered first, so that ways are closed after the nodes that use them.
const ways: Way[] = []
afterEach(() => {
  for (const way of ways.splice(0)) way.close()
})
const { schema, start } = useSharedNodes({
  node: () => ({ times }),
  statusOf: ({ body }) => {
    const { userId, properties } = JSON.parse(body)
    arrivals.push({ userId, n: properties.n, at: performance.now() })
    return 200
  },
})

/** A way to the database that can be cut, and its address. */
async function startDatabaseWay(): Promise<Way & { readonly url: string }> {
  const url = new URL(postgresUrl)
  const way = await startWay(Number(url.port))
  url.port = String(way.port)
  ways.push(way)
  return { ...way, url: url.href }
}

/** Milliseconds for which a process may serve without hearing from the database. */
const leaseLeft = async (node: Sluice): Promise<number> =>
  1_000 * Number(/^sluice_cluster_lease_seconds (\S+)$/m.exec(await node.metrics())?.[1])

const step = (userId: string, n: number) => ({ type: 'track', event: 'Step', userId, properties: { n } })

describe.skipIf(noPostgres)('a process that is cut off from the database', () => {
  it('refuses events within its lease, lets no regulated user pass, and takes part again when the way is mended', async () => {
    const way = await startDatabaseWay()
    const [a, b] = [await start(), await start({ url: way.url })]
    const users = Array.from({ length: 12 }, (_, n) => `u${n}`)
    // On a busy machine, a process may have to join again before it accepts.
    for (const node of [a, b])
      await eventually(() =>
        node.ingest(
          'web-key',
          users.map((userId) => step(userId, 0)),
        ),
      ).toMatchObject({ ok: true })
    await a.settled()

    const lookedAt = performance.now()
    const leaseMs = await leaseLeft(b)
    way.cut()
    await a.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u3' }] })
    const answeredAt = performance.now()
    expect(answeredAt - lookedAt).toBeGreaterThan(leaseMs)
    // The one that was cut off holds nothing any more, and says so at once.
    expect(await b.ingest('web-key', [step('u3', 1)])).toMatchObject({ ok: false })
    await a.ingest(
      'web-key',
      users.map((userId) => step(userId, 1)),
    )
    const missing = () => users.filter((userId) => !arrivals.some((each) => each.userId === userId && each.n === 1))
    await eventually(missing).toEqual(['u3'])

    way.mend()
    await eventually(() => b.ingest('web-key', [step('u3', 2), step('u5', 2)])).toMatchObject({ ok: true })
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
        await until(async () => (await node?.ingest('web-key', [step(userId, next)]))?.ok === true)
        sent.set(userId, next + 1)
      }
    })
    for (let storms = 0; storms < 25; storms += 1) {
      await pause(80, 'faster than a node joins again, so that the next one may find it dead')
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
