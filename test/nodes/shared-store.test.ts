import { systemClock, systemRandom, uuidV4 } from '@sluice/core'
import { openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/shop.ts'

const url = 'postgres://postgres@127.0.0.1:5432/test'
const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
})

async function start(schema: string, receiver: Receiver, errors: unknown[]): Promise<Sluice> {
  const onError = (error: unknown) => errors.push(error)
  const store = await openPostgresStore({ url, schema, clock: systemClock, random: systemRandom, onError })
  const sluice = await createSluice({ workspace: shop(receiver.url), store, onError, allowAddresses: ['127.0.0.1'] })
  running.push(sluice)
  return sluice
}

describe('two processes on one store', () => {
  it('deliver every event once, in order of user, whoever took it', async () => {
    const receiver = await startReceiver()
    const schema = `t_${uuidV4(systemRandom).replaceAll('-', '')}`
    const errors: unknown[] = []
    const a = await start(schema, receiver, errors)
    const b = await start(schema, receiver, errors)
    const t0 = Date.now()
    for (let n = 0; n < 20; n += 1)
      for (const node of [a, b])
        await node.ingest(
          'web-key',
          Array.from({ length: 20 }, (_, u) => ({
            type: 'track',
            event: 'Step',
            userId: `u${u}`,
            properties: { n: n * 2 + (node === a ? 0 : 1) },
          })),
        )
    console.log('ingested', Date.now() - t0)
    await a.settled()
    console.log('settled', Date.now() - t0, errors.slice(0, 3))
    const got = receiver.requests.map((r) => JSON.parse(r.body))
    console.log(got.length, JSON.stringify(await b.stats()).slice(0, 800))
    await receiver.close()
  })
})
