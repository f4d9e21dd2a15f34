import type { Event } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { basic, createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

/** User code that builds new events, and so loses the permissions that the sender and the user set. */
const forgetful =
  'export const transformEvent = ({ type, event, userId }) => { log(event); return { type, event, userId } }'

/** The destinations of these tests: with user code, and without. */
const destinationIds = ['hook', 'plain']

const transport = createRecordingTransport()
let sluice: Sluice
beforeEach(async () => {
  const settings = {
    webhookUrl: 'http://hook.test/in',
    consentManagement: [{ provider: 'oneTrust' as const, consents: [{ consent: 'marketing' }] }],
  }
  sluice = await createSluice({
    workspace: shop('', {
      accessTokens: [{ name: 'all', token: hashOf('all-token') }],
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'both', writeKey: 'both-key' },
      ],
      destinations: [
        { id: 'hook', type: 'WEBHOOK', settings, transformation: { code: forgetful } },
        { id: 'plain', type: 'WEBHOOK', settings },
      ],
      connections: [
        { source: 'web', destination: 'hook' },
        ...destinationIds.map((destination) => ({ source: 'both', destination })),
      ],
    }),
    transport,
  })
})
afterEach(() => sluice.stop())

async function outcomeOf(event: Event): Promise<unknown> {
  const [messageId = ''] = await ingest(event)
  await sluice.settled()
  const [receipt] = await sluice.receipts(messageId)
  return receipt?.outcome === 'dropped' ? receipt.reason : receipt?.outcome
}

async function ingest(event: Event, writeKey = 'web-key'): Promise<readonly string[]> {
  const result = await sluice.ingest(writeKey, [{ type: 'track', userId: 'u1', event: 'Seen', ...event }])
  if (!result.ok) throw new Error(result.message)
  return result.messageIds
}

const denied = { consentManagement: { provider: 'oneTrust', deniedConsentIds: ['marketing'] } }

describe('events that sender or user do not permit for a destination', () => {
  it('are not sent to it, even when user code removes the permission from the event', async () => {
    expect(await outcomeOf({ context: denied })).toBe('consent denied')
    expect(await outcomeOf({ integrations: { All: false } })).toBe('not wanted by the integrations object')
    expect(await outcomeOf({ integrations: { Webhook: false } })).toBe('not wanted by the integrations object')
    expect(transport.requests).toEqual([])
  })

  it('are the only ones that are dropped', async () => {
    expect(await outcomeOf({ integrations: { All: false, WEBHOOK: true } })).toBe('delivered')
    expect(
      await outcomeOf({ context: { consentManagement: { provider: 'oneTrust', deniedConsentIds: ['ads'] } } }),
    ).toBe('delivered')
    expect(transport.requests).toHaveLength(2)
  })
})

describe('the stage of a drop is permission, with user code and without', () => {
  const unwanted = { integrations: { All: false } }
  const reason = 'not wanted by the integrations object'
  const cases: readonly { readonly name: string; readonly event: Event; readonly reason: string }[] = [
    { name: 'that the sender does not want', event: unwanted, reason },
    { name: 'that the user does not want', event: { context: denied }, reason: 'consent denied' },
    { name: 'of a type that is not supported', event: { ...unwanted, type: 'extract' }, reason },
  ]
  for (const { name, event, reason } of cases)
    it(`in receipts and traces of an event ${name}`, async () => {
      const [messageId = ''] = await ingest(event, 'both-key')
      await sluice.settled()
      const receipts = await sluice.receipts(messageId)
      const ending = { outcome: 'dropped', stage: 'permission', reason }
      expect(receipts).toMatchObject(destinationIds.map((destinationId) => ({ destinationId, ...ending })))
      const { destinations } = (await sluice.trace(messageId)) ?? {}
      const stages = [{ stage: 'permission', outcome: 'dropped' }]
      expect(destinations).toMatchObject(destinationIds.map((destinationId) => ({ destinationId, stages })))
    })

  it('in the Test API', async () => {
    const api = await createApiClient(sluice, basic('me@shop.test', 'all-token'))
    const stage = { user_transform: true, dest_transform: true, send_to_destination: true }
    const message = { type: 'track', userId: 'u1', event: 'Seen', ...unwanted }
    const error = `the event was dropped in stage permission: ${reason}`
    for (const [id, shown] of [
      ['hook', 'user_transformed_payload'],
      ['plain', 'dest_transformed_payload'],
    ] as const) {
      const { body } = await api.post(`/v0/testDestination/${id}`, { stage, message })
      expect(body).toMatchObject({ data: [{ [shown]: { error } }] })
    }
  })
})
