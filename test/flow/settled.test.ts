import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let receiver: Receiver
let sluice: Sluice
let status: number
beforeEach(async () => {
  status = 200
  receiver = await startReceiver(() => status)
  sluice = await createSluice({ workspace: shop(receiver.url), allowAddresses: ['127.0.0.1'] })
})
afterEach(async () => {
  await sluice.stop(0)
  await receiver.close()
})

describe('waiting until everything has ended', () => {
  const ingest = () => sluice.ingest('web-key', [{ type: 'track', event: 'Seen', userId: 'u1' }])

  it('says that it has, long before the longest wait is over', async () => {
    await ingest()
    expect(await sluice.settled({ timeoutMs: 60_000 })).toBe(true)
    expect(receiver.received).toHaveLength(1)
    expect(await sluice.settled()).toBe(true)
  })

  it('ends with its time while a destination does not take events, which are delivered later all the same', async () => {
    status = 503
    await ingest()
    expect(await sluice.settled({ timeoutMs: 50 })).toBe(false)
    status = 200
    expect(await sluice.settled({ timeoutMs: 60_000 })).toBe(true)
  })
})
