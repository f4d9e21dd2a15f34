import { afterEach, describe, expect, it } from 'vitest'
import type { ClusterNode } from '../support/cluster/cluster.ts'
import { type ClusterScene, startClusterScene } from '../support/cluster/cluster-scene.ts'
import { createNetworkHost, type NetworkHost, noNetworkHosts } from '../support/cluster/network-host.ts'
import { startWay, type Way } from '../support/cluster/way.ts'
import { ask, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually, until } from '../support/eventually.ts'
import { createSender } from '../support/http/sender.ts'
import { pause } from '../support/pause.ts'

const leaseSeconds = 2

let scene: ClusterScene | undefined
let host: NetworkHost | undefined
const ways: Way[] = []

afterEach(async () => {
  await scene?.close()
  for (const way of ways.splice(0)) way.close()
  host?.remove()
})

/** Leads from an address of this machine on the host's network to a port of this machine. */
async function lead(url: string, address: string): Promise<string> {
  const from = new URL(url)
  const way = await startWay(Number(from.port), address)
  ways.push(way)
  from.hostname = address
  from.port = String(way.port)
  return from.href
}

/** Three processes here, and one on a host of its own. */
async function start(): Promise<{ readonly far: ClusterNode; readonly on: NetworkHost; readonly all: ClusterScene }> {
  const all = await startClusterScene({ leaseSeconds })
  scene = all
  const on = createNetworkHost()
  host = on
  const far = await all.cluster.start({
    address: on.address,
    command: on.command,
    databaseUrl: await lead(postgresUrl, on.reaches.database),
    webhookUrl: await lead(all.receiver.url, on.reaches.destination),
  })
  await eventually(async () => (await lanesOf(all)).length).toBe(4)
  return { far, on, all }
}

/** The number of lanes of each process. */
async function lanesOf({ cluster }: ClusterScene): Promise<readonly number[]> {
  const rows = await ask(
    `select count(*)::int as lanes from ${cluster.schema}.lane join ${cluster.schema}.node on node_id = id group by id`,
  )
  return rows.map(({ lanes }) => Number(lanes))
}

async function ready({ host, port }: ClusterNode): Promise<number> {
  const answer = await fetch(`http://${host}:${port}/ready`, { signal: AbortSignal.timeout(2_000) })
  return answer.status
}

describe.skipIf(noPostgres ?? noNetworkHosts)('a process on a network of its own', () => {
  it('stops within its lease when it is cut off from the database only, and others take over', async () => {
    const { far, on, all } = await start()
    on.cut(on.reaches.database)
    await pause(leaseSeconds * 1_000, 'it must have stopped when its lease has run out')
    expect(await ready(far)).toBe(503)
    const sender = createSender('web-key')
    expect(await sender.post(far.port, [{ type: 'track', event: 'Step', userId: 'x' }], far.host)).toBe(503)
    sender.close()
    // Answered when no process can let the user pass any more.
    await all.regulate()
    await until(async () => {
      const lanes = await lanesOf(all)
      return lanes.length === 3 && lanes.reduce((sum, each) => sum + each) === 32
    })
    await all.moreArrives(50)
    on.mend(on.reaches.database)
    await eventually(() => ready(far)).toBe(200)
    await all.regulate()
    await all.audit(1)
  })

  it('retries what a destination does not get while only the way there is cut, and keeps its lanes', async () => {
    const { on, all, far } = await start()
    on.cut(on.reaches.destination)
    await pause(leaseSeconds * 1_500, 'it keeps its lanes for longer than a lease')
    // A busy machine may starve a process beyond its lease, but lanes that were lost for the cut would stay so while it lasts.
    await eventually(async () => [await ready(far), (await lanesOf(all)).length]).toEqual([200, 4])
    on.mend(on.reaches.destination)
    await all.audit(1)
  })
})
