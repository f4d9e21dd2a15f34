import type { Event } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shop } from '../support/shop.ts'

/** User code that builds new events, and so loses the permissions that the sender and the user set. */
const forgetful =
  'export const transformEvent = ({ type, event, userId }) => { log(event); return { type, event, userId } }'

const transport = createRecordingTransport()
let sluice: Sluice
beforeEach(async () => {
  const settings = {
    webhookUrl: 'http://hook.test/in',
    consentManagement: [{ provider: 'oneTrust', consents: [{ consent: 'marketing' }] }],
  }
  sluice = await createSluice({
    workspace: shop('', {
      destinations: [{ id: 'hook', type: 'WEBHOOK', settings, transformation: { code: forgetful } }],
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

async function ingest(event: Event): Promise<readonly string[]> {
  const result = await sluice.ingest('web-key', [{ type: 'track', userId: 'u1', event: 'Seen', ...event }])
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
