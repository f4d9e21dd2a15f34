import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics as SegmentAnalytics } from '@segment/analytics-node'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documented } from '../support/http/documented.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let receiver: Receiver
let sluice: Sluice
let server: Server
let url: string

beforeEach(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({ workspace: shop(receiver.url), allowAddresses: ['localhost'] })
  const { fetch } = await documented(sluice)
  server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await sluice.stop()
  await receiver.close()
})

const calls = {
  identify: { userId: 'u1', traits: { plan: 'pro' } },
  track: { userId: 'u1', event: 'Order Completed', properties: { total: 42 } },
  page: { userId: 'u1', name: 'Home', properties: { path: '/' } },
  screen: { userId: 'u1', name: 'Start', properties: { tab: 1 } },
  group: { userId: 'u1', groupId: 'g1', traits: { name: 'Company' } },
  alias: { userId: 'u1', previousId: 'anonymous' },
} as const

async function arrived(): Promise<readonly Record<string, unknown>[]> {
  await sluice.settled()
  const events = receiver.received.map(({ body }): Record<string, unknown> => JSON.parse(body))
  return events.sort((a, b) => String(a['type']).localeCompare(String(b['type'])))
}

const expected = Object.entries(calls)
  .map(([type, call]) => expect.objectContaining({ ...call, type, request_ip: '127.0.0.1' }))
  .sort((a, b) => a.sample['type'].localeCompare(b.sample['type']))

describe('the official clients', () => {
  it('@rudderstack/rudder-sdk-node sends all six calls', async () => {
    const client = new RudderAnalytics('web-key', { dataPlaneUrl: url, flushAt: 20 })
    client.identify(calls.identify)
    client.track(calls.track)
    client.page(calls.page)
    client.screen(calls.screen)
    client.group(calls.group)
    client.alias(calls.alias)
    await new Promise<void>((resolve, reject) => client.flush((error?: Error) => (error ? reject(error) : resolve())))
    expect(await arrived()).toEqual(expected)
  })

  it('@segment/analytics-node sends all six calls', async () => {
    const client = new SegmentAnalytics({ writeKey: 'web-key', host: url, path: '/v1/batch', flushAt: 20 })
    client.identify(calls.identify)
    client.track(calls.track)
    client.page(calls.page)
    client.screen(calls.screen)
    client.group(calls.group)
    client.alias(calls.alias)
    await client.closeAndFlush()
    expect(await arrived()).toEqual(expected)
  })
})
