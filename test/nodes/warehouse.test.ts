import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestCluster, type TestCluster } from '../support/cluster/cluster.ts'
import { ask, dropSchema, freshSchema, noPostgres } from '../support/databases/postgres.ts'
import { eventually, until } from '../support/eventually.ts'
import { basic } from '../support/http/api-client.ts'
import { createSender } from '../support/http/sender.ts'
import { pause } from '../support/pause.ts'

const leaseSeconds = 2

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Sends events to the processes in turn, until it is ended. @returns the ids that were acknowledged. */
function startLoad(cluster: TestCluster) {
  const acknowledged: string[] = []
  const sender = createSender('web-key')
  let isOver = false
  const running = (async () => {
    // A call without an answer may have been accepted, so it is not sent again.
    for (let call = 0; !isOver; call += 1) {
      const batch = Array.from({ length: 5 }, (_, place) => ({
        type: 'track',
        event: 'Bought',
        userId: `u${(call + place) % 40}`,
        messageId: `m${String(call * 5 + place).padStart(6, '0')}`,
      }))
      await wait(4)
      const node = cluster.nodes[call % Math.max(1, cluster.nodes.length)]
      if (node === undefined || node.isAsleep || (await sender.post(node.port, batch)) !== 200) continue
      acknowledged.push(...batch.map(({ messageId }) => messageId))
    }
  })()
  return {
    /** Waits until this many events more were acknowledged. */
    more: async (count: number) => {
      const wanted = acknowledged.length + count
      await until(() => acknowledged.length >= wanted)
    },
    end: async () => {
      isOver = true
      await running
      sender.close()
      return acknowledged
    },
  }
}

describe.skipIf(noPostgres)('a warehouse that several processes load', () => {
  it('has every acknowledged event once, whatever happens to the processes, and all of them know its loads', async () => {
    const namespace = freshSchema()
    closing.push(() => dropSchema(namespace))
    const place = { host: '127.0.0.1', database: 'test', user: 'postgres', namespace }
    const settings = { ...place, syncSeconds: 1, syncEvents: 50, loadMode: 'append' as const }
    const cluster = createTestCluster({
      webhookUrl: 'http://127.0.0.1:9',
      leaseSeconds,
      workspace: {
        destinations: [{ id: 'house', type: 'POSTGRES', settings }],
        connections: [{ source: 'web', destination: 'house' }],
      },
    })
    closing.push(() => cluster.close())
    await Promise.all([cluster.start(), cluster.start(), cluster.start()])
    const load = startLoad(cluster)
    const loads = async () =>
      Number((await ask(`select count(*) as loads from ${cluster.schema}.load_attempt`))[0]?.['loads'])
    const first = () => cluster.nodes[0] as TestCluster['nodes'][number]
    await eventually(loads).toBeGreaterThan(0)
    await cluster.end(first(), 'SIGKILL')
    await cluster.start()
    await load.more(50)
    // Beyond its lease: what it was loading is loaded by others, who settle its load first.
    const paused = first()
    paused.isAsleep = true
    paused.command.child.kill('SIGSTOP')
    await pause(leaseSeconds * 1_000 + 1_500, 'it sleeps until others have its lanes and have loaded them')
    paused.command.child.kill('SIGCONT')
    paused.isAsleep = false
    await load.more(50)
    await cluster.end(cluster.nodes[1] as TestCluster['nodes'][number], 'SIGTERM')
    await load.more(50)
    const acknowledged = await load.end()
    expect(acknowledged.length).toBeGreaterThan(100)
    const ids = async () => (await ask(`select id from ${namespace}.tracks order by id`)).map(({ id }) => id)
    const missing = async () => {
      const found = new Set(await ids())
      return acknowledged.filter((id) => !found.has(id))
    }
    await eventually(missing).toEqual([])
    const found = await ids()
    expect(found.filter((id, place) => id === found[place - 1])).toEqual([])
    expect(cluster.crashes).toEqual([])
    const histories = await Promise.all(
      cluster.nodes.map(async ({ host, port }) => {
        const headers = { authorization: basic('me@shop.test', 'token') }
        const response = await fetch(`http://${host}:${port}/v2/warehouses/house/loads`, { headers })
        return ((await response.json()) as { data: readonly { loadId?: string }[] }).data
      }),
    )
    expect(histories[0]?.length).toBeGreaterThan(3)
    expect(histories[1]).toEqual(histories[0])
  })
})
