import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, basic, createApiClient, hashOf } from '../support/api-client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/shop.ts'

let receiver: Receiver
let sluice: Sluice
let api: ApiClient

beforeEach(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({
    workspace: shop(receiver.url, { accessTokens: [{ name: 'ci', token: hashOf('token') }] }),
  })
  api = await createApiClient(sluice, basic('ada@mail.test', 'token'))
})
afterEach(async () => {
  await sluice.stop()
  await receiver.close()
})

const marks = (mark: string): string =>
  `export function transformEvent(event) { return { ...event, mark: ${JSON.stringify(mark)} } }`

const send = (messageId: string) =>
  sluice.ingest('web-key', [{ type: 'track', event: 'Seen', userId: 'u1', messageId }])

describe('publishing', () => {
  it('makes the next events run the new version', async () => {
    const first = await api.post('/transformations', {
      name: 'Mark',
      code: marks('one'),
      publish: true,
      destinationIds: ['hook'],
    })
    expect(first.status).toBe(200)
    await send('m1')
    await sluice.settled()
    const second = await api.post(`/transformations/${first.body.id}`, { code: marks('two') })
    await send('m2')
    await sluice.settled()
    const publish = { transformations: [{ versionId: second.body.versionId }] }
    expect(await api.post('/transformations/libraries/publish', publish)).toEqual({
      status: 200,
      body: { published: true },
    })
    await send('m3')
    await sluice.settled()
    expect(receiver.received.map(({ body }) => JSON.parse(body).mark)).toEqual(['one', 'one', 'two'])
    const versions = await Promise.all(['m1', 'm2', 'm3'].map(async (id) => (await sluice.receipts(id))[0]?.versionId))
    expect(versions).toEqual([first.body.versionId, first.body.versionId, second.body.versionId])
  })
})
