import { setTimeout as wait } from 'node:timers/promises'
import { systemClock, systemRandom } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { createOwnPostgres, noOwnPostgres, type OwnPostgres } from '../support/databases/own-postgres.ts'
import { eventually } from '../support/eventually.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const times = { leaseMs: 2_000, beatMs: 400, marginMs: 200 }

let database: OwnPostgres
let receiver: Receiver
const running: Sluice[] = []

afterEach(async () => {
  for (const sluice of running.splice(0)) await sluice.stop()
  await receiver.close()
  database.remove()
})

async function start(): Promise<Sluice> {
  const store = await openPostgresStore({ url: database.url, clock: systemClock, random: systemRandom, times })
  const sluice = await createSluice({ workspace: shop(receiver.url), store, allowAddresses: ['127.0.0.1'] })
  running.push(sluice)
  return sluice
}

describe.skipIf(noOwnPostgres)('a database that crashes and recovers', () => {
  it('loses no acknowledged event, and processes continue without a restart', async () => {
    receiver = await startReceiver()
    database = await createOwnPostgres()
    const nodes = [await start(), await start()]
    let refused = 0
    let isOver = false
    const acknowledged: string[] = []
    const sending = nodes.map(async (node, which) => {
      for (let n = 0; !isOver; n += 1) {
        const messageId = `${which}-${n}`
        const answer = await node.ingest('web-key', [{ type: 'track', event: 'Step', userId: `u${n % 9}`, messageId }])
        if (answer.ok) acknowledged.push(messageId)
        else refused += 1
        await wait(5)
      }
    })
    await eventually(() => acknowledged.length).toBeGreaterThan(100)
    database.crash()
    await eventually(() => refused).toBeGreaterThan(0)
    database.start()
    const before = acknowledged.length
    // The lease may have run out meanwhile.
    await eventually(() => acknowledged.length).toBeGreaterThanOrEqual(before + 100)
    isOver = true
    await Promise.all(sending)
    await nodes[0]?.settled()
    const arrived = new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId))
    expect(acknowledged.filter((id) => !arrived.has(id))).toEqual([])
    const [source] = (await nodes[0]?.stats()) ?? []
    expect(source).toMatchObject({ destinations: [{ delivered: source?.accepted, pending: 0 }] })
  })
})
